import { Readable, Transform } from 'node:stream';
import { createId } from '@lms/database/columns';
import { badRequest, invalid, PayloadTooLarge } from '@lms/service/problems';
import { archiveLimits } from '../curriculum/archive.ts';
import { curriculumPath, formatOf, importFormats } from '../curriculum/formats.ts';
import type { ImportDeps, ReceivedFile } from './deps.ts';
import { UnsupportedFile } from './errors.ts';
import type { Actor } from './media-client.ts';
import type { NewImport } from './repository.ts';
import { ImportRequestQuery } from './schemas.ts';

/** A part as `@fastify/multipart` yields it. */
export type Part =
  | { type: 'file'; fieldname: string; filename: string | undefined; file: Readable }
  | { type: 'field'; fieldname: string };

const keptMs = 7 * 86_400_000;
const maxNameLength = 200;

export type StoredImport = Pick<NewImport, 'format' | 'fileName' | 'fileId' | 'size'>;

/** Stores the file of an import in the media service, where it survives a restart of this process. */
export async function receiveFile(
  { media }: Pick<ImportDeps, 'media'>,
  actor: Actor,
  { fileName, bytes }: ReceivedFile,
): Promise<StoredImport> {
  const format = formatOf(fileName);
  const extension = fileName.split('.').at(-1) ?? '';
  if (!format) throw new UnsupportedFile({ details: { extension, accepted: importFormats } });
  const fileId = createId();
  const expiresAt = new Date(Date.now() + keptMs);
  const shown = [...fileName.toWellFormed().replaceAll('\0', '')].slice(-maxNameLength).join('');
  const { size } = await media.storeFile(actor, fileId, { fileName: shown, bytes: limitSize(bytes), expiresAt });
  return { format, fileName: shown, fileId, size };
}

/** Reads a form up to its file and stores that. @throws 400 if the form is malformed, 422 if it has no part `file` */
export async function receiveForm(deps: Pick<ImportDeps, 'media'>, actor: Actor, parts: AsyncIterator<Part>) {
  let stored: StoredImport | undefined;
  for (let part = await nextPart(parts); part; part = await nextPart(parts)) {
    const problem = problemOf(part, stored !== undefined);
    if (problem !== undefined) {
      if (stored?.fileId) await deps.media.deleteFile(actor, stored.fileId).catch(() => undefined);
      throw invalid({ field: part.fieldname, message: problem });
    }
    // Busboy takes a part of the type application/octet-stream for a file, also without a name.
    if (part.type === 'file')
      stored = await receiveFile(deps, actor, { fileName: part.filename ?? '', bytes: part.file });
  }
  if (!stored) throw invalid({ field: 'file', message: 'is required' });
  return stored;
}

function problemOf({ type, fieldname }: Part, isStored: boolean): string | undefined {
  // As an ignored field, it would change what was only to be checked.
  if (type === 'field') return fieldname in ImportRequestQuery.properties ? 'is a query parameter' : undefined;
  if (fieldname !== 'file') return 'is not a file part';
  return isStored ? 'must be given once' : undefined;
}

/** A curriculum that was sent as a JSON body. @throws 422 if it is empty, as an empty file is */
export async function receiveBody(deps: Pick<ImportDeps, 'media'>, actor: Actor, body: unknown) {
  if (Object.keys(Object(body)).length === 0) throw invalid({ field: 'body', message: 'must not be empty' });
  const bytes = Readable.from([Buffer.from(JSON.stringify(body))]);
  return receiveFile(deps, actor, { fileName: curriculumPath, bytes });
}

async function nextPart(parts: AsyncIterator<Part>): Promise<Part | undefined> {
  try {
    const { done, value } = await parts.next();
    return done ? undefined : value;
  } catch (cause) {
    throw badRequest({ field: 'body', message: 'must be a complete multipart form' }, cause);
  }
}

function limitSize(bytes: Readable): Readable {
  let size = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > archiveLimits.bytes) return done(new PayloadTooLarge({ details: { maxBytes: archiveLimits.bytes } }));
      done(null, chunk);
    },
  });
  bytes.once('error', (cause) => limited.destroy(badRequest({ field: 'body', message: 'ended too early' }, cause)));
  return bytes.pipe(limited);
}
