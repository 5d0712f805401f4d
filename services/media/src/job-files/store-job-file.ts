import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';
import type { JobFile } from '@lms/contracts/internal/media';
import { uniqueViolation } from '@lms/database/errors';
import { conflict, unavailable } from '@lms/service/problems';
import type { FeatureDeps } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';

export interface NewJobFile {
  id: string;
  fileName: string;
  expiresAt: Date;
  userId: string;
}

/** Archives of imports are at most 2 GiB; the rest is for the outline of an export. */
const maxJobFileBytes = 4 * 1024 ** 3;

/** Stores the bytes of an import or export until it expires. They are visible as a whole or not at all. */
export async function storeJobFile(
  { objects }: Pick<FeatureDeps, 'objects'>,
  raw: IncomingMessage,
  { id, fileName, expiresAt, userId }: NewJobFile,
): Promise<JobFile> {
  const upload = await objects.uploads.start(raw, userId, maxJobFileBytes);
  try {
    const file = await objects.storeFile(upload, filePart(raw, fileName), { kind: 'job-file', id });
    const stored = await objects.repository().keepUntil(file, expiresAt);
    if (!stored) throw unavailable(new Error(`Object ${id} was discarded during its upload`));
    return toJobFile(stored);
  } catch (error) {
    const isTaken = uniqueViolation(error) === 'objects_pkey';
    const rolledBack = await upload.rollBack(error);
    throw isTaken ? conflict({ resource: 'File', field: 'id', value: id }) : rolledBack;
  } finally {
    upload.end();
  }
}

// A stream of its own, because reading to the end or to an error destroys it, and the response needs the connection.
function filePart(raw: IncomingMessage, fileName: string) {
  const bytes = new PassThrough();
  pipeline(raw, bytes, () => undefined);
  return { type: 'file', name: 'file', fileName, bytes } as const;
}

const toJobFile = ({ id, fileName, mimeType, size, checksum, expiresAt }: StoredObject): JobFile => ({
  id,
  fileName,
  mimeType,
  size,
  checksum,
  expiresAt: (expiresAt ?? new Date(0)).toISOString(),
});
