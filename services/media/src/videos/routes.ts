import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { allowAnyone, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { IdParams } from '@lms/contracts/ids';
import { callContextOf } from '@lms/service/service-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FeatureDeps } from '../deps.ts';
import { acceptMultipart, readerOf, requestContextOf, sendDownload, uploadRequestOf } from '../transfer-routes.ts';
import { getPlayableVideo, type PlayableDeps } from './get-playable-video.ts';
import { removeVideo } from './remove-video.ts';
import { replaceVideo } from './replace-video.ts';
import * as schemas from './schemas.ts';

interface Options {
  deps: FeatureDeps;
}
interface PlaybackOptions {
  deps: FeatureDeps & PlayableDeps;
}

// Imports and exports use the same routes as clients.
const forServices = { acceptsServiceTokens: true };

/** Uploads, for admins and the subject's mentor. */
export const uploadRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');
  await acceptMultipart(app);

  app.put('/:id/video', { schema: schemas.replaceVideo, config: forServices }, async (request) =>
    ok(await replaceVideo(deps, request.params.id, uploadRequestOf(request))),
  );
};

/** Removal, for admins and the subject's mentor. */
export const managerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.delete('/:id/video', { schema: schemas.removeVideo, config: forServices }, async (request) =>
    ok(await removeVideo(deps, request.params.id, requestContextOf(request))),
  );
};

/** Downloads, for users with access to the topic and for holders of a playback URL. */
export const playbackRoutes: FastifyPluginAsyncTypebox<PlaybackOptions> = async (app, { deps }) => {
  allowAnyone(app);
  app.addHook('onRequest', async (request) => {
    if (Object(request.query).playback === undefined) caller(request);
  });

  const send = async (
    request: FastifyRequest<{ Params: IdParams; Querystring: schemas.VideoQuery }>,
    reply: FastifyReply,
  ) => {
    const { playback: token } = request.query;
    const callContext = callContextOf(request);
    const playbackRequest = { topicId: request.params.id, token, callContext };
    const reader = token === undefined ? readerOf(request) : await deps.openPlayback(token, callContext.requestId);
    return sendDownload(request, reply, deps, reader, () => getPlayableVideo(deps, playbackRequest));
  };

  app.get('/:id/video', { schema: schemas.streamVideo, config: forServices, exposeHeadRoute: false }, send);
  app.head('/:id/video', { schema: schemas.headVideo }, send);
};
