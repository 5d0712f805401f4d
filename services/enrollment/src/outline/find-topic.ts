import { TopicAccess, topicAccessPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { Behalf, Neighbour } from '@lms/server/ask-neighbour';
import { outline, type TopicRef } from './repository.ts';

type Content = Pick<Neighbour, 'ask'>;

/**
 * A topic that is live with all its ancestors. Content is asked only when our copy does not know it as such,
 * because a creation or a restore may not have been heard yet.
 * @throws content's 404
 */
export const findLiveTopic = async (db: Db, content: Content, behalf: Behalf, id: string): Promise<TopicRef> =>
  (await outline(db).findLiveTopic(id)) ?? (await askTopic(db, content, behalf, id));

/** A topic that is live or once was, as long as we know of it. */
export async function findTopic(db: Db, content: Content, behalf: Behalf, id: string): Promise<TopicRef> {
  const known = await outline(db).find('topic', id);
  return known?.parentId ? { id, subjectId: known.parentId } : askTopic(db, content, behalf, id);
}

async function askTopic(db: Db, content: Content, behalf: Behalf, id: string): Promise<TopicRef> {
  const { subjectId } = await content.ask(TopicAccess, behalf, { path: topicAccessPath(id) });
  // The name comes with the event; nothing here shows it.
  await outline(db).note({ id, kind: 'topic', parentId: subjectId, name: '' });
  return { id, subjectId };
}
