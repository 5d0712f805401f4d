import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { IdParams } from '@lms/contracts/ids';
import { onBehalfOf } from '@lms/server/ask-neighbour';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RoomDeps } from '../deps.ts';
import { acceptForms, actingOf, sendDownload, takeUpload } from '../transfer-routes.ts';
import { VideoNotFound } from './errors.ts';
import { removeVideo } from './remove-video.ts';
import { replaceVideo } from './replace-video.ts';
import * as schemas from './schemas.ts';

interface Options {
  deps: RoomDeps;
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

/** The bytes, for whoever is entitled to the topic. */
export const readers: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR', 'LEARNER');
  const { access, objects } = deps;

  const send = (
    request: FastifyRequest<{ Params: IdParams; Querystring: schemas.VideoQuery }>,
    reply: FastifyReply,
  ) => {
    const { id } = request.params;
    return sendDownload(request, reply, deps, async () => {
      await access.requireRead(onBehalfOf(request), id);
      const video = await objects.in().findVideoOf(id);
      if (!video) throw new VideoNotFound();
      return video;
    });
  };

  app.get('/:id/video', { schema: schemas.streamVideo, exposeHeadRoute: false }, send);
  app.head('/:id/video', { schema: schemas.headVideo }, send);
};
