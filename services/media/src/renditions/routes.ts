import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import type { FeatureDeps } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';
import { ProcessingNotFailed, VideoNotFound } from './errors.ts';
import { toProcessing } from './presenter.ts';
import { renditionRepository } from './repository.ts';
import { restartProcessing } from './restart-processing.ts';
import * as schemas from './schemas.ts';

interface Options {
  deps: FeatureDeps;
}

export interface ProgressDeps extends FeatureDeps {
  /** Has the topic show a video whose processing has ended, which the event may do only later. */
  showEnd: (topicId: string, video: StoredObject, callContext: CallContext) => Promise<unknown>;
}
interface ProgressOptions {
  deps: ProgressDeps;
}

/** Undefined if the topic has no video. @throws 403 unless the caller manages the topic, 404 if there is none */
async function getManagedVideo({ access, objects }: FeatureDeps, topicId: string, request: FastifyRequest) {
  await access.requireManage(callContextOf(request), topicId, caller(request));
  return objects.repository().findVideo(topicId);
}

/** Progress, for admins and the subject's mentor. */
export const managerRoutes: FastifyPluginAsyncTypebox<ProgressOptions> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.get('/:id/video/processing', { schema: schemas.getVideoProcessing }, async (request) => {
    const { id } = request.params;
    const video = await getManagedVideo(deps, id, request);
    const processing = video && (await renditionRepository(deps.database.db).findProcessing(video.id));
    if (video && processing?.finishedAt) await deps.showEnd(id, video, callContextOf(request));
    return ok(toProcessing(processing));
  });
};

/** New attempts, for admins and the subject's mentor. */
export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.post('/:id/video/processing', { schema: schemas.restartVideoProcessing }, async (request) => {
    const video = await getManagedVideo(deps, request.params.id, request);
    if (!video) throw new VideoNotFound();
    const db = await request.writeDb();
    const restarted = await restartProcessing(deps, db, request.params.id, video, causeOf(request));
    if (restarted) return ok(toProcessing(restarted));
    const { status } = toProcessing(await renditionRepository(db).findProcessing(video.id));
    throw new ProcessingNotFailed({ details: { current: status } });
  });
};
