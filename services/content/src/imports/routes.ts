import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { inTransaction } from '@lms/database/in-transaction';
import { pageResponse } from '@lms/service/page-response';
import { PayloadTooLarge, unavailable } from '@lms/service/problems';
import type { FastifyRequest } from 'fastify';
import { archiveLimits } from '../curriculum/archive.ts';
import { cancelImport } from './cancel-import.ts';
import type { ImportDeps } from './deps.ts';
import { ImportNotFound } from './errors.ts';
import { appendImportEvent } from './events.ts';
import type { Importer } from './importer.ts';
import { toImport } from './presenter.ts';
import { receiveBody, receiveForm } from './receive-import.ts';
import { imports } from './repository.ts';
import * as schemas from './schemas.ts';
import type { Import } from './table.ts';

interface Options {
  deps: ImportDeps & {
    importer: Importer;
    /** For a dry run, which needs memory for the whole file. @throws 503 if others do not end in time */
    inDryRunSlot: <T>(work: () => Promise<T>, client: { destroyed: boolean }) => Promise<T>;
  };
}
const maxBodyBytes = 16 * 1024 * 1024;
const formOverheadBytes = 256 * 1024;
const limits = { parts: 20, files: 4, fieldSize: 64 * 1024, fileSize: Number.MAX_SAFE_INTEGER };

/** Requires the role ADMIN. */
export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { importer } = deps;
  const { db } = deps.database;
  app.addHook('onResponse', async ({ method }) => {
    if (method === 'POST') importer.runNow();
  });
  await app.register(createRoutes, { deps });

  app.get('/imports', { schema: schemas.listImports }, async (request, reply) => {
    const { query } = request;
    const total = await imports(db).count(query);
    const rows = await imports(db).list(query);
    return pageResponse(request, reply, query, { items: rows.map(toImport), total });
  });

  app.get('/imports/:id', { schema: schemas.getImport }, async ({ params }) => {
    const job = await imports(db).find(params.id);
    if (!job) throw new ImportNotFound();
    return ok(toImport(job));
  });

  app.post('/imports/:id/cancel', { schema: schemas.cancelImport }, async ({ params }) =>
    ok(toImport(await cancelImport(deps, params.id)), 'Import is being cancelled'),
  );
};

/** The only route that takes a form. Requires the role ADMIN. */
const createRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  await app.register(multipart, { limits, throwFileSizeLimit: false });
  // An import checks its body itself, item by item, and reports all problems with their pointers.
  const { validatorCompiler } = app;
  if (validatorCompiler)
    app.setValidatorCompiler((part) => (part.httpPart === 'body' ? () => true : validatorCompiler(part)));
  const { importer, inDryRunSlot, media } = deps;
  const { db } = deps.database;

  app.post(
    '/imports',
    {
      schema: schemas.createImport,
      bodyLimit: maxBodyBytes,
      onRequest: async ({ headers }) => {
        if (Number(headers['content-length'] ?? 0) > archiveLimits.bytes + formOverheadBytes)
          throw new PayloadTooLarge({ details: { maxBytes: archiveLimits.bytes } });
      },
    },
    async (request, reply) => {
      const { mode, dryRun } = request.query;
      const { userId: createdBy } = caller(request);
      const actor = { userId: createdBy, requestId: request.id };
      const stored = await receive(request, actor);
      const create = (writeDb: Db, leaseId: string | null) =>
        inTransaction(writeDb, async (tx) => {
          const created = await imports(tx).insert(
            { ...stored, mode, dryRun, createdBy, requestId: request.id },
            leaseId,
          );
          await appendImportEvent(tx, 'created', created, causeOf(request));
          return created;
        });
      if (!dryRun)
        return reply.code(202).send(ok(toImport(await create(await request.writeDb(), null)), 'Import queued'));
      let job: Import | undefined;
      const result = await inDryRunSlot(async () => {
        // Its row must be visible to its own run at once.
        job = await create(db, createId());
        return importer.run(job);
      }, request.socket).catch(async (error: unknown) => {
        if (!job && stored.fileId) await media.deleteFile(actor, stored.fileId).catch(() => undefined);
        throw error;
      });
      if (!result) throw unavailable(new Error(`The dry run ${job?.id} was interrupted`));
      return ok(toImport(result), 'Dry run: nothing was imported');
    },
  );

  const receive = (request: FastifyRequest, actor: { userId: string; requestId: string }) =>
    request.isMultipart() ? receiveForm(deps, actor, request.parts()) : receiveBody(deps, actor, request.body);
};
