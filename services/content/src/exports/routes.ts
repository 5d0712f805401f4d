import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { allowAnyone, requireRole } from '@lms/auth/require-role';
import type { ServiceTokens } from '@lms/auth/service-tokens';
import { ok } from '@lms/contracts/envelope';
import { isId } from '@lms/contracts/ids';
import { jobFilePath } from '@lms/contracts/internal/media';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { invalid, unavailable } from '@lms/service/problems';
import type { ServiceClient } from '@lms/service/service-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DownloadTokens } from './download-tokens.ts';
import { AddressNotValid, rootNotFound } from './errors.ts';
import { toExport } from './presenter.ts';
import { exportRepository } from './repository.ts';
import * as schemas from './schemas.ts';
import { snapshotRepository } from './snapshot-repository.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    publicUrl: string;
    tokens: DownloadTokens;
    mediaDownloads: Pick<ServiceClient, 'transfer'>;
    serviceTokens: ServiceTokens;
    readerIdleMs?: number;
    /** Starts an export that was created. */
    runNow: () => void;
  };
}

/** Requires the role ADMIN. */
export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { db } = deps.database;
  const repository = exportRepository(db);
  app.addHook('onResponse', async ({ method }) => {
    if (method === 'POST') deps.runNow();
  });

  app.post('/exports', { schema: schemas.createExport }, async (request, reply) => {
    const { format, rootType = null, rootId = null, includeMedia = false } = request.body;
    if ((rootType === null) !== (rootId === null))
      throw invalid({
        field: rootType === null ? 'rootType' : 'rootId',
        message: 'is required with the other one of rootType and rootId',
        value: null,
      });
    if (rootType !== null && rootId !== null) {
      if (!isId(rootId)) throw new rootNotFound[rootType]();
      await snapshotRepository(db).get(rootType, rootId);
    }
    const job = { format, rootType, rootId, includeMedia, createdBy: caller(request).userId };
    const row = await exportRepository(await request.writeDb()).insert(job);
    return reply.code(202).send(ok(toExport(row, deps), schemas.messages.created));
  });

  app.get('/exports', { schema: schemas.listExports }, async (request, reply) => {
    const { items, total } = await repository.list(request.query);
    return pageResponse(request, reply, request.query, { items: items.map((row) => toExport(row, deps)), total });
  });

  app.get('/exports/:id', { schema: schemas.getExport }, async ({ params }) =>
    ok(toExport(await repository.get(params.id), deps)),
  );
};

// Half of the connections of their client, so that none waits for one.
const maxDownloads = 32;
const retryAfterSeconds = 5;
const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
// Of GET only: RFC 9110 defines ranges for no other method.
const rangeHeaders = ['range', 'if-range'];
const returned = [
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
  'x-content-type-options',
  'content-security-policy',
];

/** For everyone with a signed address. */
export const downloadRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  allowAnyone(app);
  const repository = exportRepository(deps.database.db);
  const { readerIdleMs = 150_000 } = deps;
  let running = 0;

  /** Counts a download until its response is closed. @throws 503 */
  function begin({ raw }: FastifyReply) {
    if (running >= maxDownloads) throw unavailable(new Error('too many downloads'), retryAfterSeconds);
    if (raw.destroyed) return;
    running += 1;
    raw.once('close', () => {
      running -= 1;
    });
  }

  const send = async (
    request: FastifyRequest<{ Params: { id: string }; Querystring: { token: string } }>,
    reply: FastifyReply,
  ) => {
    const { id } = request.params;
    if (!deps.tokens.isValid(id, request.query.token)) throw new AddressNotValid();
    const { fileId, checksum, createdBy, expiresAt } = await repository.get(id);
    if (fileId === null || checksum === null || expiresAt === null || expiresAt <= new Date())
      throw new AddressNotValid();
    begin(reply);
    const closed = new AbortController();
    reply.raw.once('close', () => closed.abort());
    const response = await deps.mediaDownloads.transfer(deps.serviceTokens.callContext(createdBy, request.id), {
      path: `${jobFilePath(fileId)}?download=true`,
      headers: select(request.headers, request.method === 'GET' ? [...conditions, ...rangeHeaders] : conditions),
      signal: closed.signal,
    });
    reply.code(response.statusCode).headers(select(response.headers, returned));
    reply.header('repr-digest', `sha-256=:${Buffer.from(checksum.replace('sha256:', ''), 'hex').toString('base64')}:`);
    if (request.method === 'HEAD' || response.statusCode === 304) {
      response.body.destroy();
      return reply.send();
    }
    // Closes the connection of a client that stops reading.
    reply.raw.setTimeout(readerIdleMs, () => reply.raw.destroy());
    return reply.send(response.body);
  };

  app.get('/exports/:id/download', { schema: schemas.downloadExport, exposeHeadRoute: false }, send);
  app.head('/exports/:id/download', { schema: schemas.headExport }, send);
};

const select = (headers: Record<string, string | string[] | undefined>, names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
