import type { CallContext } from '@lms/service/service-client';
import type { FeatureDeps } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';
import type { PlaybackTokens } from '../playback-tokens.ts';
import { PlaybackEnded, PlaybackNotFound } from './errors.ts';
import type { Grants } from './grants.ts';

export interface OpenPlaybackDeps extends Pick<FeatureDeps, 'access' | 'objects'> {
  playbackTokens: PlaybackTokens;
  grants: Grants;
}

export interface OpenedPlayback {
  video: StoredObject;
  userId: string;
  /** With the passport of the user who requested the playback. */
  callContext: CallContext;
}

/**
 * Opens the playback of a token, with the access that its user has now.
 * @throws 404 if the token is not readable, 403 if it has expired, if the user has lost access or if it is for a previous
 * video
 */
export async function openPlayback(
  { access, objects, playbackTokens, grants }: OpenPlaybackDeps,
  token: string,
  requestId: string,
): Promise<OpenedPlayback> {
  const playback = playbackTokens.read(token);
  if (!playback) throw new PlaybackNotFound();
  const { topicId, videoId, userId, passport, expiresAt } = playback;
  if (expiresAt <= Date.now()) throw new PlaybackEnded();
  const callContext = { requestId, ...(passport && { passport }) };
  await grants.require(userId, topicId, () => access.requireFreshRead(callContext, topicId));
  const video = await objects.repository().findVideo(topicId);
  if (video?.id !== videoId) throw new PlaybackEnded();
  return { video, userId, callContext };
}
