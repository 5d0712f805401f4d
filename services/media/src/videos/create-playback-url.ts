import type { FeatureDeps, RequestContext } from '../deps.ts';
import { VideoNotFound } from './errors.ts';
import type { PlaybackTokens } from './playback-tokens.ts';
import { videoPath } from './presenter.ts';

const lifetimeMs = 15 * 60_000;

/** Creates a URL for players that cannot send an `Authorization` header. It is valid for the current video only. */
export async function createPlaybackUrl(
  { access, objects, publicUrl, playbackTokens }: FeatureDeps & { playbackTokens: PlaybackTokens },
  topicId: string,
  { caller, callContext }: RequestContext,
) {
  await access.requireRead(callContext, topicId);
  const video = await objects.repository().findVideo(topicId);
  if (!video) throw new VideoNotFound();
  const expiresAt = Date.now() + lifetimeMs;
  const { passport = null } = callContext;
  const url = new URL(videoPath(topicId), publicUrl);
  const playback = { topicId, videoId: video.id, userId: caller.userId, passport, expiresAt };
  url.searchParams.set('playback', playbackTokens.seal(playback));
  return { url: url.href, expiresAt: new Date(expiresAt).toISOString() };
}
