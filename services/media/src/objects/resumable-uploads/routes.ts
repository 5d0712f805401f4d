import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { allowAnyone, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { defineProblem } from '@lms/service/problems';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestContextOf } from '../../transfer-routes.ts';
import { drainRequest } from '../sender.ts';
import type { AttachableKind } from '../table.ts';
import { createUpload } from './create-upload.ts';
import type { ResumableDeps } from './deps.ts';
import { locked, tusVersion, uploadNotFound } from './errors.ts';
import type { Finisher } from './finish-upload.ts';
import { finishSoon, getResult } from './get-result.ts';
import { checksumAlgorithms, checksumOf, offsetOf, requireTus, sendsBytes } from './headers.ts';
import { waitForWriter } from './hold-upload.ts';
import { receiveBytes } from './receive-bytes.ts';
import { type UploadId, uploadRepository } from './repository.ts';
import { schemasOf } from './schemas.ts';
import type { ResumableUpload } from './table.ts';

interface Options {
  deps: ResumableDeps;
  finisher: Finisher;
  kind: AttachableKind;
  /** The path of the uploads below the prefix. */
  path: string;
}

// How many uploads of the user have succeeded, for the gateway, which does not pass it on. Each is reported once.
const countedHeader = 'x-lms-upload-finished';
const extensions = 'creation,creation-with-upload,expiration,checksum,termination';

/** What the server supports, for anonymous callers too. */
export const descriptionRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps, kind, path }) => {
  allowAnyone(app);

  app.options(path, { schema: schemasOf(kind).describe }, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'tus-resumable': tusVersion,
        'tus-version': tusVersion,
        'tus-extension': extensions,
        'tus-max-size': String(deps.targets[kind].maxBytes),
        'tus-checksum-algorithm': checksumAlgorithms.join(','),
      })
      .send(),
  );
};

/**
 * Resumable uploads by the protocol tus 1.0.0, for admins and the subject's mentor. Not with `@tus/server`: it has no
 * checksums, its locks are those of one process, and its errors, CORS headers and method overrides are its own.
 */
export const uploadRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps, finisher, kind, path }) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('tus-resumable', tusVersion));
  requireRole(app, 'ADMIN', 'MENTOR');
  const { db } = deps;
  const schemas = schemasOf(kind);
  acceptTus(app);

  const idOf = (request: FastifyRequest): UploadId => {
    const { id: topicId, uploadId: id } = Object(request.params);
    return { id, kind, userId: caller(request).userId, topicId };
  };

  /** Stores the bytes of a request, and finishes the upload after the last ones. */
  async function receive(request: FastifyRequest, id: UploadId, offset: number) {
    const context = requestContextOf(request);
    const passport = { passport: context.callContext.passport ?? null, roles: [...context.caller.roles] };
    const bytes = { raw: request.raw, offset, checksum: checksumOf(request.headers), passport };
    const upload = await receiveBytes(deps, id, bytes);
    if (offset > 0) deps.metrics.count('resumed');
    // The bytes are acknowledged, whatever becomes of the file.
    if (upload.status === 'received')
      await finishSoon(finisher, upload, context).catch((err: unknown) =>
        request.log.warn({ err, uploadId: id.id }, 'upload could not be finished and will be retried'),
      );
    return upload;
  }

  app.post(path, { schema: schemas.create }, async (request, reply) => {
    const hasBytes = sendsBytes(request.raw);
    checksumOf(request.headers);
    const { id: topicId } = Object(request.params);
    const { headers } = request;
    const created = await createUpload(deps, { kind, topicId, headers }, requestContextOf(request));
    reply.header('location', `${request.url.split('?')[0]}/${created.id}`);
    const id = { id: created.id, kind, userId: created.userId };
    const upload = hasBytes ? await receive(request, id, 0) : created;
    await reportFinished(db, reply);
    return reply
      .code(201)
      .headers(headersOf(upload))
      .send(ok(toProgress(upload)));
  });

  const isDescribed = { swagger: { exposeHeadRoute: true } };
  app.head(`${path}/:uploadId`, { schema: schemas.head, config: isDescribed }, async (request, reply) => {
    const id = idOf(request);
    const found = await uploadRepository(db).find(id);
    if (found?.status === 'receiving') await waitForWriter(db, id.id);
    const upload = found && (await uploadRepository(db).find(id));
    if (!upload) throw uploadNotFound();
    reply.headers({ ...headersOf(upload), 'upload-length': String(upload.length), 'cache-control': 'no-store' });
    if (upload.metadata !== '') reply.header('upload-metadata', upload.metadata);
    return reply.code(200).send();
  });

  app.patch(`${path}/:uploadId`, { schema: schemas.append }, async (request, reply) => {
    sendsBytes(request.raw);
    const upload = await receive(request, idOf(request), offsetOf(request.headers));
    await reportFinished(db, reply);
    return reply.code(204).headers(headersOf(upload)).send();
  });

  app.delete(`${path}/:uploadId`, { schema: schemas.terminate }, async (request, reply) => {
    const id = idOf(request);
    // A finished upload counts, also if it is forgotten.
    await reportFinished(db, reply);
    if ((await uploadRepository(db).terminate(id)).length === 0)
      throw (await uploadRepository(db).find(id)) ? locked() : uploadNotFound();
    deps.metrics.count('terminated');
    return reply.code(204).send();
  });
};

/** The result of an upload, for the user who sent it. */
export const resultRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps, finisher, kind, path }) => {
  requireRole(app);

  app.get(`${path}/:uploadId/result`, { schema: schemasOf(kind).result }, async (request, reply) => {
    const { id: topicId, uploadId } = Object(request.params);
    const id = { id: uploadId, kind, userId: caller(request).userId, topicId };
    const upload = await getResult(deps, finisher, id, requestContextOf(request));
    const { status, result } = upload;
    await reportFinished(deps.db, reply);
    if (result?.error) {
      const { code, message, details } = result.error;
      const Failed = defineProblem(code, result.statusCode, message);
      throw new Failed({ details });
    }
    if (status === 'finished' && result?.data) return sendStored(reply, result.statusCode, result.data);
    return reply
      .code(202)
      .header('retry-after', '1')
      .send(ok(toProgress(upload)));
  });
};

/** Reports the caller's uploads that have succeeded, once. If the response is not sent, the next one reports them. */
async function reportFinished(db: ResumableDeps['db'], reply: FastifyReply) {
  const { raw, request } = reply;
  if (raw.destroyed) return;
  const ids = await uploadRepository(db).countFinished(caller(request).userId);
  if (ids.length === 0) return;
  reply.header(countedHeader, String(ids.length));
  const takeBack = () =>
    uploadRepository(db)
      .uncount(ids)
      .catch((err: unknown) => request.log.warn({ err, uploadIds: ids }, 'uploads were not counted'));
  if (raw.destroyed) return takeBack();
  // `writableFinished` is also true for a response whose connection broke before it.
  raw.once('close', takeBack).once('finish', () => raw.off('close', takeBack));
}

// The serializer checks it against the schema of the status.
const sendStored = (reply: FastifyReply, statusCode: number, data: object) => reply.code(statusCode).send(ok(data));

/** Leaves the bodies of requests to the use case. */
function acceptTus(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('preParsing', async (request, _reply, payload) => {
    requireTus(request.headers);
    return payload;
  });
  // The schemas only document the headers and bodies.
  app.setValidatorCompiler(() => () => true);
  app.addHook('onResponse', async ({ raw }) => drainRequest(raw));
}

const headersOf = ({ received, expiresAt }: ResumableUpload) => ({
  'upload-offset': String(received),
  'upload-expires': expiresAt.toUTCString(),
});

const toProgress = ({ id, status, received, length, expiresAt }: ResumableUpload) => ({
  id,
  status: status === 'receiving' ? ('receiving' as const) : ('received' as const),
  offset: received,
  length,
  expiresAt: expiresAt.toISOString(),
});
