import { subjectTopicsPath, TopicAccess, topicAccessPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { TopicNotFound } from './errors.ts';
import { LiveTopics } from './list-live-topics.ts';
import { outline, type TopicRef } from './repository.ts';

type ContentClient = Pick<ServiceClient, 'request'>;

/**
 * A topic that is live, as are its ancestors. Calls content only if the local copy does not contain the topic: the event
 * of its creation or restore may not have arrived yet.
 * @throws content's 404, TopicNotFound
 */
export async function getLiveTopic(
  db: Db,
  content: ContentClient,
  context: CallContext,
  id: string,
): Promise<TopicRef> {
  const known = await outline(db).findLiveTopic(id);
  if (known) return known;
  const { subjectId, manage } = await content.request(TopicAccess, context, { path: topicAccessPath(id) });
  const topic = { id, subjectId };
  // Content returns topics that are not live to callers who manage them.
  if (manage && !(await isLive(content, context, topic))) throw new TopicNotFound();
  // The name is never read from here; the event will set it.
  await outline(db).insertIfAbsent({ id, kind: 'topic', parentId: subjectId, name: '' });
  return topic;
}

async function isLive(content: ContentClient, context: CallContext, { id, subjectId }: TopicRef): Promise<boolean> {
  const live = await content.request(LiveTopics, context, { path: subjectTopicsPath(subjectId) });
  return live.some((topic) => topic.id === id);
}
