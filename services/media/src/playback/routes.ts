import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FeatureDeps } from '../deps.ts';
import type { Downloadable } from '../objects/table.ts';
import { requestContextOf, sendDownload } from '../transfer-routes.ts';
import { type CreatePlaybackDeps, createPlayback } from './create-playback.ts';
import { FileNotFound } from './errors.ts';
import { type OpenedPlayback, type OpenPlaybackDeps, openPlayback } from './open-playback.ts';
import { masterPlaylist, mediaPlaylist, subtitlePlaylist, thumbnailTrack, withTimestampMap } from './playlists.ts';
import * as schemas from './schemas.ts';
import { initializationPart, segmentPart, wholeObject } from './stored-part.ts';
import type { Streams } from './streams.ts';

interface ReaderOptions {
  deps: CreatePlaybackDeps;
}
interface PlayerOptions {
  deps: OpenPlaybackDeps & Pick<FeatureDeps, 'objects'> & { streams: Streams };
}

/** Playback addresses, for users with access to the topic. */
export const readerRoutes: FastifyPluginAsyncTypebox<ReaderOptions> = async (app, { deps }) => {
  requireRole(app);

  app.post('/:id/video/playback', { schema: schemas.openPlayback }, async (request) =>
    ok(await createPlayback(deps, request.params.id, requestContextOf(request))),
  );
};

const textHeaders = (contentType: string) => ({
  'content-type': contentType,
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
});
const playlistHeaders = textHeaders('application/vnd.apple.mpegurl');
const notHead = { exposeHeadRoute: false };

type TokenRequest<P extends schemas.TokenParams = schemas.TokenParams> = FastifyRequest<{ Params: P }>;
type CaptionParams = schemas.TokenParams & { language: string };
type RenditionParams = schemas.TokenParams & { rendition: string };

/** The files of a playback, for players that have its token. */
export const playerRoutes: FastifyPluginAsyncTypebox<PlayerOptions> = async (app, { deps }) => {
  const { streams } = deps;
  const open = ({ params, id }: TokenRequest) => openPlayback(deps, params.token, id);

  /** Sends stored bytes. If they are gone, the video may have been processed again: then `find` is called once more. */
  async function send(
    request: TokenRequest,
    reply: FastifyReply,
    find: (playback: OpenedPlayback) => Promise<Downloadable>,
  ) {
    const playback = await open(request);
    let isRepeated = false;
    return sendDownload(request, reply, deps, playback, () => {
      if (isRepeated) streams.forget(playback.video.id);
      isRepeated = true;
      return find(playback);
    });
  }

  async function sendMaster(request: TokenRequest, reply: FastifyReply) {
    const { video } = await open(request);
    const { renditions } = await streams.find(video.id);
    if (renditions.length === 0) throw new FileNotFound();
    const tracks = await streams.listCaptions(video.id);
    const playlist = masterPlaylist(
      renditions.map(({ rendition }) => rendition),
      tracks,
    );
    return reply.headers(playlistHeaders).send(playlist);
  }
  app.get('/:token/master.m3u8', { schema: schemas.masterPlaylist.get, ...notHead }, sendMaster);
  app.head('/:token/master.m3u8', { schema: schemas.masterPlaylist.head }, sendMaster);

  async function sendPlaylist(request: TokenRequest<RenditionParams>, reply: FastifyReply) {
    const { video } = await open(request);
    const { rendition } = await streams.getRendition(video.id, request.params.rendition);
    return reply.headers(playlistHeaders).send(mediaPlaylist(rendition));
  }
  app.get('/:token/:rendition/playlist.m3u8', { schema: schemas.mediaPlaylist.get, ...notHead }, sendPlaylist);
  app.head('/:token/:rendition/playlist.m3u8', { schema: schemas.mediaPlaylist.head }, sendPlaylist);

  const sendInitialization = (request: TokenRequest<RenditionParams>, reply: FastifyReply) =>
    send(request, reply, async ({ video }) => {
      const { rendition, object } = await streams.getRendition(video.id, request.params.rendition);
      return initializationPart(object, rendition);
    });
  app.get('/:token/:rendition/init.mp4', { schema: schemas.initialization.get, ...notHead }, sendInitialization);
  app.head('/:token/:rendition/init.mp4', { schema: schemas.initialization.head }, sendInitialization);

  const sendSegment = (request: TokenRequest<RenditionParams & { n: string }>, reply: FastifyReply) =>
    send(request, reply, async ({ video }) => {
      const { rendition, object } = await streams.getRendition(video.id, request.params.rendition);
      return segmentPart(object, rendition, request.params.n);
    });
  app.get('/:token/:rendition/:n.m4s', { schema: schemas.segment.get, ...notHead }, sendSegment);
  app.head('/:token/:rendition/:n.m4s', { schema: schemas.segment.head }, sendSegment);

  const sendPoster = (request: TokenRequest, reply: FastifyReply) =>
    send(request, reply, async ({ video }) => {
      const { poster } = await streams.find(video.id);
      if (!poster) throw new FileNotFound();
      return wholeObject(poster);
    });
  app.get('/:token/poster.jpg', { schema: schemas.poster.get, ...notHead }, sendPoster);
  app.head('/:token/poster.jpg', { schema: schemas.poster.head }, sendPoster);

  async function sendThumbnails(request: TokenRequest, reply: FastifyReply) {
    const { video } = await open(request);
    const { sprite, durationSeconds } = await streams.find(video.id);
    if (!sprite) throw new FileNotFound();
    return reply
      .headers(textHeaders('text/vtt; charset=utf-8'))
      .send(thumbnailTrack(sprite.tiles, durationSeconds ?? 0));
  }
  app.get('/:token/thumbnails.vtt', { schema: schemas.thumbnails.get, ...notHead }, sendThumbnails);
  app.head('/:token/thumbnails.vtt', { schema: schemas.thumbnails.head }, sendThumbnails);

  const sendSprite = (request: TokenRequest, reply: FastifyReply) =>
    send(request, reply, async ({ video }) => {
      const { sprite } = await streams.find(video.id);
      if (!sprite) throw new FileNotFound();
      return wholeObject(sprite.object);
    });
  app.get('/:token/sprite.jpg', { schema: schemas.sprite.get, ...notHead }, sendSprite);
  app.head('/:token/sprite.jpg', { schema: schemas.sprite.head }, sendSprite);

  async function sendSubtitles(request: TokenRequest<CaptionParams>, reply: FastifyReply) {
    const { video } = await open(request);
    const tracks = await streams.listCaptions(video.id);
    const track = tracks.find(({ language }) => language === request.params.language);
    const { durationSeconds } = await streams.find(video.id);
    if (!track || durationSeconds === null) throw new FileNotFound();
    return reply.headers(playlistHeaders).send(subtitlePlaylist(track.language, durationSeconds));
  }
  app.get('/:token/captions/:language/playlist.m3u8', { schema: schemas.subtitles.get, ...notHead }, sendSubtitles);
  app.head('/:token/captions/:language/playlist.m3u8', { schema: schemas.subtitles.head }, sendSubtitles);

  async function sendCaptions(request: TokenRequest<CaptionParams>, reply: FastifyReply) {
    const { video } = await open(request);
    const { headers, content } = await streams.getCaptions(video.id, request.params.language);
    return reply.headers(headers).send(withTimestampMap(content));
  }
  app.get('/:token/captions/:language.vtt', { schema: schemas.captions.get, ...notHead }, sendCaptions);
  app.head('/:token/captions/:language.vtt', { schema: schemas.captions.head }, sendCaptions);
};
