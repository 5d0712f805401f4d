import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { callContextOf } from '@lms/service/service-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FeatureDeps } from '../deps.ts';
import { acceptMultipart, readerOf, requestContextOf, sendDownload, uploadRequestOf } from '../transfer-routes.ts';
import { DocumentNotFound } from './errors.ts';
import { removeDocument } from './remove-document.ts';
import * as schemas from './schemas.ts';
import { uploadDocument } from './upload-document.ts';

interface Options {
  deps: FeatureDeps;
}

// Imports and exports use the same routes as clients.
const forServices = { acceptsServiceTokens: true };

/** Uploads, for admins and the subject's mentor. */
export const uploadRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');
  await acceptMultipart(app);

  app.post('/upload', { schema: schemas.uploadDocument, config: forServices }, async (request, reply) => {
    const document = await uploadDocument(deps, uploadRequestOf(request));
    return reply.code(201).send(ok(document));
  });
};

/** Downloads, for users with access to the topic. */
export const readerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR', 'LEARNER');
  const { access, objects } = deps;

  const send = (request: FastifyRequest<{ Querystring: schemas.StreamQuery }>, reply: FastifyReply) =>
    sendDownload(request, reply, deps, readerOf(request), async () => {
      const document = await objects.repository().findReadableByKey(request.query.key);
      if (document?.kind !== 'document' || document.topicId === null) throw new DocumentNotFound();
      await access.requireRead(callContextOf(request), document.topicId);
      return document;
    });

  app.get('/stream', { schema: schemas.streamDocument, config: forServices, exposeHeadRoute: false }, send);
  app.head('/stream', { schema: schemas.headDocument }, send);
};

/** Removal, for admins and the subject's mentor. */
export const managerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.delete('/:id/documents/:docId', { schema: schemas.removeDocument, config: forServices }, async (request) => {
    const { id, docId } = request.params;
    return ok(await removeDocument(deps, id, docId, requestContextOf(request)));
  });
};
