import { topicVideoPath } from '@lms/contracts/internal/content';
import type { CallContext } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import type { FeatureDeps } from '../deps.ts';
import { toTopicVideo } from './presenter.ts';

/** Has content name again what is playable, in case it took an offer without our knowing. */
export async function rollBackVideo(
  { database, access, content, objects, publicUrl }: FeatureDeps,
  { id, topicId }: { id: string; topicId: string },
  behalf: CallContext,
) {
  await database.db.transaction(async (tx) => {
    await objects.repository(tx).lockTopic(topicId);
    const current = await objects.repository(tx).findVideo(topicId);
    const path = topicVideoPath(topicId);
    const body = current && toTopicVideo(publicUrl, topicId, current);
    await content
      .request(Type.Unknown(), behalf, body ? { method: 'PUT', path, body } : { method: 'DELETE', path })
      .catch(async (error: unknown) => {
        if (Object(error).statusCode !== 404 || !(await access.canSee(behalf, topicId))) throw error;
      });
    await objects.repository(tx).discard(id);
  });
}
