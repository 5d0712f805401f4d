import { TopicVideoResponse, topicVideoPath } from '@lms/contracts/internal/content';
import type { Cause } from '@lms/events/append-event';
import { statusOf } from '@lms/service/problems';
import type { CallContext } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import type { FeatureDeps, RequestContext } from '../deps.ts';
import { VideoNotFound } from './errors.ts';
import { appendVideoRemoved } from './events.ts';

/** Detaches the video of a topic; the reaper deletes its bytes. */
export async function removeVideo(deps: FeatureDeps, topicId: string, { caller, callContext, cause }: RequestContext) {
  const { access, objects } = deps;
  await access.requireManage(callContext, topicId, caller);
  const video = await objects.repository().findVideo(topicId);
  if (!video) return { id: await detachLostVideo(deps, topicId, callContext), topicId };
  // The status is set first: if this process fails from here on, the reaper completes the removal.
  await objects.repository().markRemoving(video.id);
  // Of several concurrent requests, only one detaches it.
  if (!(await detachVideo(deps, video.id, topicId, callContext, cause))) throw new VideoNotFound();
  return { id: video.id, topicId };
}

/** Content may show a video whose upload failed or whose object is lost. @returns its id @throws content's 404 */
const detachLostVideo = ({ database, content, objects }: FeatureDeps, topicId: string, callContext: CallContext) =>
  database.db.transaction(async (tx) => {
    const repository = objects.repository(tx);
    // An upload that is about to end would be detached, but not discarded.
    await repository.lockTopic(topicId);
    if (await repository.findVideo(topicId)) throw new VideoNotFound();
    const detach = { method: 'DELETE', path: topicVideoPath(topicId) } as const;
    const { previous } = await content.request(TopicVideoResponse.properties.data, callContext, detach);
    if (!previous) throw new VideoNotFound();
    return previous.video.id;
  });

/**
 * Has content detach the video, then discards the object. Idempotent.
 * @returns false if another request removed it, true if it was removed now or replaced in the meantime
 */
async function detachVideo(
  { database, access, content, objects }: FeatureDeps,
  id: string,
  topicId: string,
  callContext: CallContext,
  cause: Cause,
): Promise<boolean> {
  return database.db.transaction(async (tx) => {
    const repository = objects.repository(tx);
    await repository.lockTopic(topicId);
    const video = await repository.findVideo(topicId);
    if (video?.id !== id) return video !== undefined;
    try {
      await content.request(Type.Unknown(), callContext, { method: 'DELETE', path: topicVideoPath(topicId) });
    } catch (error) {
      const status = statusOf(error);
      // Denied: the video stays. Not found: it is detached already, unless the whole topic is deleted and may be restored.
      if (status === 401 || status === 403) await objects.repository().cancelRemoval(id);
      if (status !== 404 || !(await access.canSee(callContext, topicId))) throw error;
    }
    await repository.discard(id);
    await appendVideoRemoved(tx, topicId, video, null, cause);
    return true;
  });
}
