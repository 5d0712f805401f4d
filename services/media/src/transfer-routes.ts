import multipart from '@fastify/multipart';
import { caller, causeOf } from '@lms/auth/passports';
import { callContextOf } from '@lms/service/service-client';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FeatureDeps, RequestContext, UploadRequest } from './deps.ts';
import { NotMultipart, UploadTooLarge } from './objects/errors.ts';
import { maxTextBytes } from './objects/read-form.ts';
import type { StoredObject } from './objects/table.ts';
import { drainRequest } from './objects/uploads.ts';

/** What the API's description says of every upload. */
export const uploadRules =
  'No user has more than a quarter of the upload slots: an upload beyond that, like any while all slots are taken, waits three seconds for one, and then gets 429 (`details {scope: upload, limit, resetAt}`, the limit being the uploads that one user may run at once) or, when other users have the slots, 503, both with `Retry-After`. An upload that arrives at less than 1 KiB a second on average, for 30 seconds, gets 408.';

/** What a form may weigh beyond its file: boundaries, part headers, the texts. */
const formBytes = 256 * 1024;
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

/** Within this scope bodies are multipart forms, read part by part, and a refused sender sees why. */
export async function acceptMultipart(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
  scope.addHook('preParsing', async (request, _reply, payload) => {
    if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) throw new NotMultipart();
    return payload;
  });
  // The schema of the body is for the API's description; the form is checked as it is read, the ids already were.
  scope.setValidatorCompiler(() => () => true);
  scope.addHook('onResponse', async ({ raw }) => drainRequest(raw));
}

/** Runs an upload under the process's rules: so many at once, of one user and of all, not too slow, cleared when it fails. */
export function takeUpload<T>(
  request: FastifyRequest,
  { objects }: Pick<FeatureDeps, 'objects'>,
  maxBytes: number,
  work: (uploading: UploadRequest) => Promise<T>,
): Promise<T> {
  const acting = requestContextOf(request);
  return objects.uploads.run(request.raw, acting.caller.userId, (upload) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes + formBytes)
      throw new UploadTooLarge({ details: { maxBytes } });
    return work({ ...acting, parts: request.parts(), upload });
  });
}

/** Answers with an object's bytes, or as many of them as were asked for. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { objects }: Pick<FeatureDeps, 'objects'>,
  find: () => Promise<StoredObject>,
) {
  const { method, headers, query } = request;
  const download = ['1', 'true'].includes(Object(query).download);
  const { download: answer, body } = await objects.openDownload(find, { method, headers, download });
  // A peer that takes no byte for so long is dropped, and with it what is open in storage.
  reply.raw.setTimeout(objects.readerIdleMs);
  objects.metrics.downloadStarted(reply.raw);
  return reply.code(answer.status).headers(answer.headers).send(body);
}
