import { topicVideoPath } from '@lms/contracts/internal/content';
import type { CallContext } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import type { RoomDeps } from '../deps.ts';
import { toTopicVideo } from './wire.ts';

/** Has content name again what is playable, in case it took an offer without our knowing. */
export async function undoOffer(
  { database, access, content, objects, publicUrl }: RoomDeps,
  { id, topicId }: { id: string; topicId: string },
  behalf: CallContext,
) {
  await database.db.transaction(async (tx) => {
    await objects.in(tx).lockTopic(topicId);
    const current = await objects.in(tx).findVideoOf(topicId);
    const path = topicVideoPath(topicId);
    const body = current && toTopicVideo(publicUrl, topicId, current);
    await content
      .request(Type.Unknown(), behalf, body ? { method: 'PUT', path, body } : { method: 'DELETE', path })
      .catch(async (error: unknown) => {
        if (Object(error).statusCode !== 404 || !(await access.canSee(behalf, topicId))) throw error;
      });
    await objects.in(tx).discard(id);
  });
}
