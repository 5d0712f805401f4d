import { subjectTopicsPath, TopicAccess, topicAccessPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { TopicNotFound } from './errors.ts';
import { Topics } from './list-live-topics.ts';
import { outline, type TopicRef } from './repository.ts';

type Content = Pick<ServiceClient, 'request'>;

/**
 * A topic that is live with all its ancestors. Content is asked only when our copy does not know it as such,
 * because a creation or a restore may not have been heard yet.
 * @throws content's 404, TopicNotFound
 */
export async function findLiveTopic(db: Db, content: Content, behalf: CallContext, id: string): Promise<TopicRef> {
  const known = await outline(db).findLiveTopic(id);
  if (known) return known;
  const { topic, manage } = await askTopic(content, behalf, id);
  // Whoever manages a topic is answered about it also when it is not live.
  if (manage && !(await isLive(content, behalf, topic))) throw new TopicNotFound();
  return noteTopic(db, topic);
}

/** A topic that is live or once was, as long as we know of it. */
export async function findTopic(db: Db, content: Content, behalf: CallContext, id: string): Promise<TopicRef> {
  const known = await outline(db).find('topic', id);
  if (known?.parentId) return { id, subjectId: known.parentId };
  const { topic } = await askTopic(content, behalf, id);
  return topic;
}

async function askTopic(content: Content, behalf: CallContext, id: string) {
  const { subjectId, manage } = await content.request(TopicAccess, behalf, { path: topicAccessPath(id) });
  return { topic: { id, subjectId }, manage };
}

async function isLive(content: Content, behalf: CallContext, { id, subjectId }: TopicRef): Promise<boolean> {
  const live = await content.request(Topics, behalf, { path: subjectTopicsPath(subjectId) });
  return live.some((topic) => topic.id === id);
}

async function noteTopic(db: Db, topic: TopicRef): Promise<TopicRef> {
  // The name comes with the event; nothing here shows it.
  await outline(db).note({ id: topic.id, kind: 'topic', parentId: topic.subjectId, name: '' });
  return topic;
}
