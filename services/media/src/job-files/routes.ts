import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { FeatureDeps } from '../deps.ts';
import { acceptBytes, readerOf, sendDownload } from '../transfer-routes.ts';
import { FileNotFound } from './errors.ts';
import * as schemas from './schemas.ts';
import { storeJobFile } from './store-job-file.ts';

interface Options {
  deps: FeatureDeps;
}
const config = { acceptsServiceTokens: true };

/** For the service that runs imports and exports, with its own authority. */
export const jobFileRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { objects } = deps;

  app.get('/job-files/:id', { schema: schemas.readJobFile, config, exposeHeadRoute: false }, (request, reply) =>
    sendDownload(request, reply, deps, readerOf(request), async () => {
      const file = await objects.repository().findJobFile(request.params.id);
      if (!file) throw new FileNotFound();
      return file;
    }),
  );

  app.delete('/job-files/:id', { schema: schemas.discardJobFile, config }, async ({ params: { id } }) => {
    if (!(await objects.repository().discardJobFile(id))) throw new FileNotFound();
    return ok({ id });
  });
};

/** The same, for bodies of bytes. */
export const jobFileUploadRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  acceptBytes(app);

  app.put('/job-files/:id', { schema: schemas.storeJobFile, config }, async (request, reply) => {
    const { fileName, expiresAt } = request.query;
    const { userId } = caller(request);
    const file = { id: request.params.id, fileName, expiresAt: new Date(expiresAt), userId };
    return reply.code(201).send(ok(await storeJobFile(deps, request.raw, file)));
  });
};
