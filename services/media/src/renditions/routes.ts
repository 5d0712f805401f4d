import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { callContextOf } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import type { FeatureDeps } from '../deps.ts';
import { ProcessingNotFailed, VideoNotFound } from './errors.ts';
import { toProcessing } from './presenter.ts';
import { renditionRepository } from './repository.ts';
import * as schemas from './schemas.ts';

interface Options {
  deps: FeatureDeps;
}

/** @throws 403 unless the caller manages the topic, 404 if it has no video */
async function getManagedVideo({ access, objects }: FeatureDeps, topicId: string, request: FastifyRequest) {
  await access.requireManage(callContextOf(request), topicId, caller(request));
  const video = await objects.repository().findVideo(topicId);
  if (!video) throw new VideoNotFound();
  return video;
}

/** Progress, for admins and the subject's mentor. */
export const managerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.get('/:id/video/processing', { schema: schemas.getVideoProcessing }, async (request) => {
    const { id } = await getManagedVideo(deps, request.params.id, request);
    return ok(toProcessing(await renditionRepository(deps.database.db).findProcessing(id)));
  });
};

/** New attempts, for admins and the subject's mentor. */
export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.post('/:id/video/processing', { schema: schemas.restartVideoProcessing }, async (request) => {
    const { id } = await getManagedVideo(deps, request.params.id, request);
    const repository = renditionRepository(await request.writeDb());
    const restarted = await repository.restartFailed(id);
    if (restarted) return ok(toProcessing(restarted));
    const { status } = toProcessing(await repository.findProcessing(id));
    throw new ProcessingNotFailed({ details: { current: status } });
  });
};
