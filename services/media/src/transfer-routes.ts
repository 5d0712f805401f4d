import multipart from '@fastify/multipart';
import { caller, causeOf } from '@lms/auth/passports';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FeatureDeps, RequestContext, UploadRequest } from './deps.ts';
import { NotMultipart } from './objects/errors.ts';
import { maxTextBytes } from './objects/read-form.ts';
import { drainRequest } from './objects/sender.ts';
import type { Downloadable } from './objects/table.ts';

interface Reader {
  userId: string;
  callContext: CallContext;
}

/** Part of the OpenAPI description of every upload. */
export const uploadRules =
  'A user may hold at most a quarter of the upload slots. An upload beyond that share, or one that arrives while all slots are taken, waits three seconds for a slot. It then gets 429 (`details {scope: upload, limit, resetAt}`, where `limit` is the number of concurrent uploads per user) or, when other users hold the slots, 503. Both carry `Retry-After`. An upload that averages less than 1 KiB per second over 30 seconds gets 408.';

const limits = {
  parts: 20,
  fields: 16,
  files: 4,
  fieldSize: maxTextBytes,
  fieldNameSize: 100,
  fileSize: Number.MAX_SAFE_INTEGER,
};

export const requestContextOf = (request: FastifyRequest): RequestContext => ({
  caller: caller(request),
  callContext: callContextOf(request),
  cause: causeOf(request),
});

export const readerOf = (request: FastifyRequest): Reader => ({
  userId: caller(request).userId,
  callContext: callContextOf(request),
});

export const uploadRequestOf = (request: FastifyRequest): UploadRequest => ({
  ...requestContextOf(request),
  raw: request.raw,
  parts: () => request.parts(),
});

/** Accepts only multipart bodies within `scope`; the use case reads them part by part. */
export async function acceptMultipart(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
  scope.addHook('preParsing', async (request, _reply, payload) => {
    if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) throw new NotMultipart();
    return payload;
  });
  // The body schema only documents the form: its parts are validated while they are read.
  scope.setValidatorCompiler(() => () => true);
  scope.addHook('onResponse', async ({ raw }) => drainRequest(raw));
}

/** Accepts only bytes within `scope`; the use case reads them from the request. */
export function acceptBytes(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null, {}));
  scope.addHook('onResponse', async ({ raw }) => drainRequest(raw));
}

/** Sends the bytes of an object, or the requested range of them. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { objects, access }: Pick<FeatureDeps, 'objects' | 'access'>,
  { callContext, userId }: Reader,
  find: () => Promise<Downloadable>,
) {
  objects.downloadLimit.start(userId, reply.raw);
  const { method, headers, query } = request;
  const asAttachment = ['1', 'true'].includes(Object(query).download);
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  const { signal } = disconnected;
  const { object, download, body } = await objects.openDownload(find, { method, headers, asAttachment, signal });
  // Closes the connection, and with it the stream from storage, of a client that stops reading.
  reply.raw.setTimeout(objects.readerIdleMs);
  const { topicId } = object;
  // A client that has left in the meantime does not end the watch: `close` was emitted before.
  const isOpen = !reply.raw.destroyed;
  if (isOpen && body && topicId !== null)
    objects.accessWatch.watch({
      response: reply.raw,
      userId,
      canRead: () => access.canStillRead(callContext, topicId),
    });
  if (isOpen) objects.metrics.downloadStarted(reply.raw);
  return reply.code(download.status).headers(download.headers).send(body);
}
