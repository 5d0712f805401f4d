import type { CallContext } from '@lms/service/service-client';
import type { FeatureDeps } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';
import { VideoNotFound } from './errors.ts';

export interface PlaybackRequest {
  topicId: string;
  /** The token of a playback URL; without one, the caller's own passport is used. */
  token: string | undefined;
  callContext: CallContext;
}

export interface PlayableDeps extends Pick<FeatureDeps, 'access' | 'objects'> {
  /** Opens the token of a playback, with the access that its user has now. @throws 403 or 404 */
  openPlayback: (
    token: string,
    requestId: string,
  ) => Promise<{ video: StoredObject; userId: string; callContext: CallContext }>;
}

/** @throws 401, 403 or 404 if access is denied, 404 if the token is for another topic */
export async function getPlayableVideo(
  { access, objects, openPlayback }: PlayableDeps,
  { topicId, token, callContext }: PlaybackRequest,
) {
  if (token !== undefined) {
    const { video } = await openPlayback(token, callContext.requestId);
    if (video.topicId !== topicId) throw new VideoNotFound();
    return video;
  }
  await access.requireRead(callContext, topicId);
  const video = await objects.repository().findVideo(topicId);
  if (!video) throw new VideoNotFound();
  return video;
}
