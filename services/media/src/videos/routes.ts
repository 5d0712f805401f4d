import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { allowAnyone, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { IdParams } from '@lms/contracts/ids';
import { callContextOf } from '@lms/service/service-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RoomDeps } from '../deps.ts';
import { acceptForms, actingOf, sendDownload, takeUpload } from '../transfer-routes.ts';
import { findPlayable } from './find-playable.ts';
import { openPlayback } from './open-playback.ts';
import type { PlaybackTokens } from './playback-tokens.ts';
import { removeVideo } from './remove-video.ts';
import { replaceVideo } from './replace-video.ts';
import * as schemas from './schemas.ts';

interface Options {
  deps: RoomDeps;
}
interface PlaybackOptions {
  deps: RoomDeps & { playbackTokens: PlaybackTokens };
}

/** Uploads, for admins and the subject's mentor. */
export const uploaders: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');
  await acceptForms(app);

  app.put('/:id/video', { schema: schemas.replaceVideo }, async (request) => {
    const { id } = request.params;
    return ok(await takeUpload(request, deps, deps.maxVideoBytes, (uploading) => replaceVideo(deps, id, uploading)));
  });
};

/** Removal, for admins and the subject's mentor. */
export const managers: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.delete('/:id/video', { schema: schemas.removeVideo }, async (request) =>
    ok(await removeVideo(deps, request.params.id, actingOf(request))),
  );
};

/** The bytes, for whoever is entitled to the topic or holds a playback URL for it. */
export const players: FastifyPluginAsyncTypebox<PlaybackOptions> = async (app, { deps }) => {
  allowAnyone(app);
  app.addHook('onRequest', async (request) => {
    if (Object(request.query).playback === undefined) caller(request);
  });

  const send = (
    request: FastifyRequest<{ Params: IdParams; Querystring: schemas.VideoQuery }>,
    reply: FastifyReply,
  ) => {
    const playing = { topicId: request.params.id, token: request.query.playback, behalf: callContextOf(request) };
    return sendDownload(request, reply, deps, () => findPlayable(deps, playing));
  };

  app.get('/:id/video', { schema: schemas.streamVideo, exposeHeadRoute: false }, send);
  app.head('/:id/video', { schema: schemas.headVideo }, send);
};

/** Playback URLs, for whoever is entitled to the topic. */
export const viewers: FastifyPluginAsyncTypebox<PlaybackOptions> = async (app, { deps }) => {
  requireRole(app);

  app.post('/:id/video/playback', { schema: schemas.openPlayback }, async (request) =>
    ok(await openPlayback(deps, request.params.id, actingOf(request))),
  );
};
