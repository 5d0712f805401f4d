import { InvalidToken } from '@lms/service/problems';
import type { CallContext } from '@lms/service/service-client';
import type { FeatureDeps } from '../deps.ts';
import type { PlaybackTokens } from '../playback-tokens.ts';
import { VideoNotFound } from './errors.ts';

export interface PlaybackRequest {
  topicId: string;
  /** The token of a playback URL; without one, the caller's own passport is used. */
  token: string | undefined;
  callContext: CallContext;
}

/**
 * Opens the token of a playback URL, if there is one, and returns the context with which access is requested from content: with
 * the passport of the user who requested the URL. A user who has lost access loses the URL too.
 * @throws 401 for an invalid token
 */
export function openPlayback(playbackTokens: PlaybackTokens, { topicId, token, callContext }: PlaybackRequest) {
  if (token === undefined) return { topicId, callContext };
  const playback = playbackTokens.open(token);
  if (playback?.topicId !== topicId) throw new InvalidToken();
  const { passport, videoId, userId } = playback;
  return { topicId, videoId, userId, callContext: { requestId: callContext.requestId, ...(passport && { passport }) } };
}

/** @throws 401, 403 or 404 if access is denied, 404 if the token is for a previous video */
export async function getPlayableVideo(
  { access, objects }: FeatureDeps,
  { topicId, videoId, callContext }: { topicId: string; videoId?: string; callContext: CallContext },
) {
  await access.requireRead(callContext, topicId);
  const video = await objects.repository().findVideo(topicId);
  if (!video || (videoId !== undefined && videoId !== video.id)) throw new VideoNotFound();
  return video;
}
