import { subjectTopicsPath, TopicAccess, topicAccessPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { TopicNotFound } from './errors.ts';
import { LiveTopics } from './list-live-topics.ts';
import { outline, type TopicRef } from './repository.ts';

type Content = Pick<ServiceClient, 'request'>;

/**
 * A topic that is live with all its ancestors. Content is asked only when our copy does not know it as such,
 * because a creation or a restore may not have been heard yet.
 * @throws content's 404, TopicNotFound
 */
export async function getLiveTopic(db: Db, content: Content, context: CallContext, id: string): Promise<TopicRef> {
  const known = await outline(db).findLiveTopic(id);
  if (known) return known;
  const { topic, manage } = await fetchTopic(content, context, id);
  // Whoever manages a topic is answered about it also when it is not live.
  if (manage && !(await isLive(content, context, topic))) throw new TopicNotFound();
  return saveTopic(db, topic);
}

/** A topic that is live or once was, as long as we know of it. */
export async function getTopic(db: Db, content: Content, context: CallContext, id: string): Promise<TopicRef> {
  const known = await outline(db).find('topic', id);
  if (known?.parentId) return { id, subjectId: known.parentId };
  const { topic } = await fetchTopic(content, context, id);
  return topic;
}

async function fetchTopic(content: Content, context: CallContext, id: string) {
  const { subjectId, manage } = await content.request(TopicAccess, context, { path: topicAccessPath(id) });
  return { topic: { id, subjectId }, manage };
}

async function isLive(content: Content, context: CallContext, { id, subjectId }: TopicRef): Promise<boolean> {
  const live = await content.request(LiveTopics, context, { path: subjectTopicsPath(subjectId) });
  return live.some((topic) => topic.id === id);
}

async function saveTopic(db: Db, topic: TopicRef): Promise<TopicRef> {
  // The name comes with the event; nothing here shows it.
  await outline(db).insertIfAbsent({ id: topic.id, kind: 'topic', parentId: topic.subjectId, name: '' });
  return topic;
}
