import { publicAddress } from '@lms/contracts/wire';
import type { FeatureDeps, RequestContext } from '../deps.ts';
import type { PlaybackTokens } from '../playback-tokens.ts';
import { VideoNotFound } from './errors.ts';
import type { Streams } from './streams.ts';

const lifetimeSeconds = 15 * 60;

export interface CreatePlaybackDeps extends FeatureDeps {
  playbackTokens: PlaybackTokens;
  streams: Streams;
  /** The path of the original file. */
  videoPath: (topicId: string) => string;
}

/** Creates addresses for players that cannot send an `Authorization` header. They are valid for the current video only. */
export async function createPlayback(
  { access, objects, publicUrl, playbackTokens, streams, videoPath }: CreatePlaybackDeps,
  topicId: string,
  { caller, callContext }: RequestContext,
) {
  await access.requireRead(callContext, topicId);
  const video = await objects.repository().findVideo(topicId);
  if (!video) throw new VideoNotFound();
  const expiresAt = Date.now() + lifetimeSeconds * 1_000;
  const { passport = null } = callContext;
  const token = playbackTokens.seal({ topicId, videoId: video.id, userId: caller.userId, passport, expiresAt });
  const addressOf = (path: string) => publicAddress(publicUrl, `/api/playback/${token}/${path}`);
  const { renditions, poster, sprite } = await streams.find(video.id);
  const captions = await streams.listCaptions(video.id);
  return {
    url: `${publicAddress(publicUrl, videoPath(topicId))}?playback=${token}`,
    expiresAt: new Date(expiresAt).toISOString(),
    expiresInSeconds: lifetimeSeconds,
    hls: renditions.length > 0 ? addressOf('master.m3u8') : null,
    poster: poster ? addressOf('poster.jpg') : null,
    thumbnails: sprite ? addressOf('thumbnails.vtt') : null,
    captions: captions.map((track) => ({ ...track, url: addressOf(`captions/${track.language}.vtt`) })),
  };
}
