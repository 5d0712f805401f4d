import { videoRemoved } from '@lms/contracts/events/media';
import { topicVideoPath } from '@lms/contracts/internal/content';
import { appendEvent, type Cause } from '@lms/events/append-event';
import type { CallContext } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import type { FeatureDeps, RequestContext } from '../deps.ts';
import { VideoNotFound } from './errors.ts';
import { toVideo } from './presenter.ts';

/** Takes a topic's video off; its bytes go afterwards. */
export async function removeVideo(
  deps: FeatureDeps,
  topicId: string,
  { caller, callContext: behalf, cause }: RequestContext,
) {
  const { access, objects } = deps;
  await access.requireManage(behalf, topicId, caller);
  const video = await objects.repository().findVideo(topicId);
  // The intent is noted first: whatever happens from here on, the reaper brings it to an end.
  if (!video || !(await objects.repository().markRemoving(video.id, behalf.passport ?? null)))
    throw new VideoNotFound();
  // Of several at once, one took it off.
  if (!(await detachVideo(deps, video.id, topicId, behalf, cause))) throw new VideoNotFound();
  return { id: video.id, topicId };
}

/** Has content take the video off, and gives up the object. Again and again is as good as once; false when somebody else did. */
export async function detachVideo(
  { database, access, content, objects }: FeatureDeps,
  id: string,
  topicId: string,
  behalf: CallContext,
  cause: Cause,
): Promise<boolean> {
  return database.db.transaction(async (tx) => {
    await objects.repository(tx).lockTopic(topicId);
    const video = await objects.repository(tx).findVideo(topicId);
    // Replaced in the meantime: then it is off already, as it is when somebody else removed it.
    if (video?.id !== id) return video !== undefined;
    try {
      await content.request(Type.Unknown(), behalf, { method: 'DELETE', path: topicVideoPath(topicId) });
    } catch (error) {
      const { statusCode } = Object(error);
      // Refused: it stays. Not there (any more): it goes. No topic: who knows, it may come back.
      if (statusCode === 401 || statusCode === 403) await objects.repository().cancelRemoval(id);
      if (statusCode !== 404 || !(await access.canSee(behalf, topicId))) throw error;
    }
    await objects.repository(tx).discard(id);
    await appendEvent(tx, videoRemoved, { aggregateId: id, data: { ...toVideo(video), topicId }, cause });
    return true;
  });
}
