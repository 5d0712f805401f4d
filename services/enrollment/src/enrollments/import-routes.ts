import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import type { Database } from '@lms/database/connect';
import { invalid, PayloadTooLarge } from '@lms/service/problems';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MalformedForm, NotRoster } from './errors.ts';
import { type Directory, importRoster, type LineResult } from './import-roster.ts';
import * as schemas from './import-schemas.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    directoryOf: (context: CallContext) => Directory;
  };
}

const contentType =
  /^(?:multipart\/form-data\s*;|text\/csv\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?(?:;\s*header\s*=\s*present\s*)?$)/i;
const { maxRosterBytes: bodyLimit } = schemas;

export const importRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  await acceptCsv(app);

  app.post('/imports', { schema: schemas.importRoster, bodyLimit }, async (request, reply) => {
    const file = await readFile(request);
    const { dryRun = false } = request.query;
    const onOutage = (err: unknown) => request.log.error({ err }, 'The import of a roster was interrupted');
    const options = { dryRun, adminId: caller(request).userId, cause: causeOf(request), onOutage };
    const batches = importRoster(deps.database, deps.directoryOf(callContextOf(request)), file, options);
    return sendStream(reply, toJson(dryRun, await batches.next(), batches));
  });
};

const sendStream = (reply: FastifyReply, body: AsyncGenerator<string>) =>
  reply.type('application/json; charset=utf-8').send(Readable.from(body));

/** Writes the response while the lines are imported: a long file would exceed the time that clients wait for a response. */
async function* toJson(
  dryRun: boolean,
  first: IteratorResult<LineResult[], void>,
  rest: AsyncGenerator<LineResult[], void, undefined>,
) {
  const counts = { lines: 0, created: 0, approved: 0, unchanged: 0, failed: 0 };
  function toItems(results: LineResult[]) {
    const separator = counts.lines === 0 ? '' : ',';
    counts.lines += results.length;
    for (const { status } of results) counts[status ?? 'failed'] += 1;
    return separator + results.map((result) => JSON.stringify(result)).join(',');
  }
  yield `{"success":true,"data":{"dryRun":${dryRun},"results":[`;
  if (!first.done) yield toItems(first.value);
  for await (const results of rest) yield toItems(results);
  yield `],"counts":${JSON.stringify(counts)}},"message":${JSON.stringify(schemas.importMessage(counts))}}`;
}

/** Accepts CSV within `scope`: the body itself, or the file of a form. */
async function acceptCsv(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  await scope.register(multipart, { limits: { parts: 20, files: 1, fileSize: bodyLimit } });
  scope.addHook('preParsing', async (request, _reply, payload) => {
    if (!contentType.test(request.headers['content-type'] ?? '')) throw new NotRoster();
    return payload;
  });
  // The body schema only documents the file.
  const { validatorCompiler } = scope;
  if (validatorCompiler)
    scope.setValidatorCompiler((part) => (part.httpPart === 'body' ? () => true : validatorCompiler(part)));
}

async function readFile(request: FastifyRequest): Promise<Buffer> {
  if (Buffer.isBuffer(request.body)) return request.body;
  const { file, fields } = await readForm(request);
  // As an ignored field, it would import what was only to be checked.
  if (fields.includes('dryRun')) throw invalid({ field: 'dryRun', message: 'is a query parameter' });
  if (!file) throw invalid({ field: 'file', message: 'is required' });
  return file;
}

async function readForm(request: FastifyRequest) {
  try {
    let file: Buffer | undefined;
    const fields: string[] = [];
    for await (const part of request.parts())
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname === 'file') file = bytes;
      } else fields.push(part.fieldname);
    return { file, fields };
  } catch (cause) {
    const { code } = Object(cause);
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new PayloadTooLarge({ details: { maxBytes: bodyLimit }, cause });
    if (code === 'FST_FILES_LIMIT') throw invalid({ field: 'file', message: 'must be given once' });
    throw new MalformedForm({ cause });
  }
}
