import { InvalidToken } from '@lms/service/problems';
import type { CallContext } from '@lms/service/service-client';
import type { FeatureDeps } from '../deps.ts';
import { VideoNotFound } from './errors.ts';
import type { PlaybackTokens } from './playback-tokens.ts';

export interface PlaybackRequest {
  topicId: string;
  /** The token of a playback URL; without one, the caller speaks for himself. */
  token: string | undefined;
  callContext: CallContext;
}

/** The topic's video, if whoever asks may see it now. A playback URL is for the one video that it was made for. */
export async function getPlayableVideo(
  { access, objects, playbackTokens }: FeatureDeps & { playbackTokens: PlaybackTokens },
  { topicId, token, callContext: behalf }: PlaybackRequest,
) {
  const playback = token === undefined ? undefined : playbackTokens.open(token);
  if (token !== undefined && playback?.topicId !== topicId) throw new InvalidToken();
  // Asked with the passport of the one who made the URL: who lost access since then loses it here as well.
  const { requestId } = behalf;
  const passport = playback ? playback.passport : behalf.passport;
  await access.requireRead({ requestId, ...(passport && { passport }) }, topicId);
  const video = await objects.repository().findVideo(topicId);
  if (!video || (playback && playback.videoId !== video.id)) throw new VideoNotFound();
  return video;
}
