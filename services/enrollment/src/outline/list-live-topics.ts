import { InternalTopicOutline, subjectTopicsPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { statusOf } from '@lms/service/problems';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import { outline } from './repository.ts';

export const LiveTopics = Type.Array(InternalTopicOutline);

/**
 * The ids of a subject's live topics in order, requested from content; falls back to the local copy while content is
 * unavailable. Empty if content does not know the subject.
 */
export async function listLiveTopics(
  db: Db,
  content: Pick<ServiceClient, 'request'>,
  context: CallContext,
  subjectId: string,
): Promise<string[]> {
  try {
    const topics = await content.request(LiveTopics, context, { path: subjectTopicsPath(subjectId) });
    return topics.map(({ id }) => id);
  } catch (error) {
    const status = statusOf(error);
    if (status === 404) return [];
    if (status !== 503) throw error;
    return (await outline(db).listLiveTopics([subjectId])).map(({ id }) => id);
  }
}
