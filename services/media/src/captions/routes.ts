import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { allowAnyone, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FeatureDeps } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';
import { acceptMultipart, requestContextOf, uploadRequestOf } from '../transfer-routes.ts';
import { getCaptions } from './get-captions.ts';
import { removeCaptions } from './remove-captions.ts';
import * as schemas from './schemas.ts';
import { uploadCaptions } from './upload-captions.ts';

interface Options {
  deps: FeatureDeps;
}
interface ReaderOptions {
  deps: FeatureDeps & {
    /** The video that the caller, or the holder of a playback token, may play. */
    findPlayableVideo: (request: {
      topicId: string;
      token: string | undefined;
      callContext: CallContext;
    }) => Promise<StoredObject>;
  };
}

// Imports and exports contain captions.
const forServices = { acceptsServiceTokens: true };
const path = '/:id/video/captions/:language';

/** Uploads, for admins and the subject's mentor. */
export const uploadRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');
  await acceptMultipart(app);

  app.put(path, { schema: schemas.uploadCaptions, config: forServices }, async (request) => {
    const { id, language } = request.params;
    return ok(await uploadCaptions(deps, id, language, uploadRequestOf(request)));
  });
};

/** Removal, for admins and the subject's mentor. */
export const managerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.delete(path, { schema: schemas.removeCaptions, config: forServices }, async (request) => {
    const { id, language } = request.params;
    return ok(await removeCaptions(deps, id, language, requestContextOf(request)));
  });
};

/** Downloads, for users with access to the topic and for holders of a playback token. */
export const readerRoutes: FastifyPluginAsyncTypebox<ReaderOptions> = async (app, { deps }) => {
  allowAnyone(app);
  app.addHook('onRequest', async (request) => {
    if (Object(request.query).playback === undefined) caller(request);
  });

  const send = async (
    request: FastifyRequest<{ Params: schemas.CaptionParams; Querystring: schemas.CaptionQuery }>,
    reply: FastifyReply,
  ) => {
    const { id: topicId, language } = request.params;
    const playbackRequest = { topicId, token: request.query.playback, callContext: callContextOf(request) };
    const video = await deps.findPlayableVideo(playbackRequest);
    const { headers, content } = await getCaptions(deps, video.id, language);
    return reply.headers(headers).send(content);
  };

  app.get(path, { schema: schemas.getCaptions, config: forServices, exposeHeadRoute: false }, send);
  app.head(path, { schema: schemas.headCaptions }, send);
};
