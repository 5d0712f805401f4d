import { InvalidToken } from '@lms/service/problems';
import type { CallContext } from '@lms/service/service-client';
import type { FeatureDeps } from '../deps.ts';
import { VideoNotFound } from './errors.ts';
import type { PlaybackTokens } from './playback-tokens.ts';

export interface PlaybackRequest {
  topicId: string;
  /** The token of a playback URL; without one, the caller's own passport is used. */
  token: string | undefined;
  callContext: CallContext;
}

/** @throws 401 for an invalid token, 401, 403 or 404 if access is denied, 404 if the token is for a previous video */
export async function getPlayableVideo(
  { access, objects, playbackTokens }: FeatureDeps & { playbackTokens: PlaybackTokens },
  { topicId, token, callContext }: PlaybackRequest,
) {
  const playback = token === undefined ? undefined : playbackTokens.open(token);
  if (token !== undefined && playback?.topicId !== topicId) throw new InvalidToken();
  // With the passport of the user who requested the URL: a user who has lost access loses the URL too.
  const { requestId } = callContext;
  const passport = playback ? playback.passport : callContext.passport;
  await access.requireRead({ requestId, ...(passport && { passport }) }, topicId);
  const video = await objects.repository().findVideo(topicId);
  if (!video || (playback && playback.videoId !== video.id)) throw new VideoNotFound();
  return video;
}
