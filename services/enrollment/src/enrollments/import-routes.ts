import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database } from '@lms/database/connect';
import { invalid, PayloadTooLarge } from '@lms/service/problems';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import { compileValidator } from '@lms/service/validation';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MalformedForm, NotRoster } from './errors.ts';
import { type Directory, importRoster } from './import-roster.ts';
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

  app.post('/imports', { schema: schemas.importRoster, bodyLimit }, async (request) => {
    const file = await readFile(request);
    const { dryRun = false } = request.query;
    const options = { dryRun, adminId: caller(request).userId, cause: causeOf(request) };
    const result = await importRoster(deps.database, deps.directoryOf(callContextOf(request)), file, options);
    return ok(result, schemas.importMessage(result.counts));
  });
};

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
  scope.setValidatorCompiler<TSchema>((route) => (route.httpPart === 'body' ? () => true : compileValidator(route)));
}

async function readFile(request: FastifyRequest): Promise<Buffer> {
  if (Buffer.isBuffer(request.body)) return request.body;
  const file = await readForm(request);
  if (!file) throw invalid({ field: 'file', message: 'is required' });
  return file;
}

async function readForm(request: FastifyRequest): Promise<Buffer | undefined> {
  try {
    let file: Buffer | undefined;
    for await (const part of request.parts())
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname === 'file') file = bytes;
      }
    return file;
  } catch (cause) {
    throw Object(cause).code === 'FST_REQ_FILE_TOO_LARGE'
      ? new PayloadTooLarge({ cause })
      : new MalformedForm({ cause });
  }
}
