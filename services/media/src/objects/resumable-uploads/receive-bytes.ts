import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { UploadTooLarge, UploadTooSlow } from '../errors.ts';
import { createKey } from '../store-file.ts';
import type { Upload } from '../uploads.ts';
import type { ResumableDeps } from './deps.ts';
import { ChecksumMismatch, locked, offsetConflict, uploadNotFound } from './errors.ts';
import type { Checksum } from './headers.ts';
import { type Held, holdUpload } from './hold-upload.ts';
import { removePart } from './remove-part.ts';
import { type StoredPart, type StoredPassport, type UploadId, uploadRepository } from './repository.ts';
import { splitBody } from './split-body.ts';
import type { ResumableUpload } from './table.ts';

// One request to S3 stores so many bytes; a process that is killed loses at most one piece that is being stored.
const maxPieceBytes = 8 * 1024 * 1024;
const maxPieceMs = 10_000;

export interface Bytes {
  raw: IncomingMessage;
  offset: number;
  checksum: Checksum | undefined;
  /** With which the file is attached after the last byte. */
  passport: StoredPassport;
}

/**
 * Appends the bytes of a request to an upload. Each piece is durable as soon as it is stored, so what arrives before a
 * connection breaks is not sent again. With a checksum, the bytes of the request count together or not at all.
 * @returns the upload after the request
 */
export async function receiveBytes(deps: ResumableDeps, id: UploadId, { raw, offset, checksum, passport }: Bytes) {
  const { db, storage, objects } = deps;
  const found = await uploadRepository(db).find(id);
  if (!found) throw uploadNotFound();
  const held = found.status === 'receiving' ? await holdUpload(db, found, 'receiving') : undefined;
  if (!held) return refuseBytes(deps, id, { raw, offset });

  let upload: Upload | undefined;
  try {
    const { received, length, userId } = held.upload;
    if (offset !== received) throw offsetConflict(received);
    const left = length - received;
    const tooLarge = () => new UploadTooLarge({ details: { maxBytes: length } });
    if (announcedBytes(raw) > left) throw tooLarge();

    upload = await objects.uploads.start(raw, userId, length);
    return await append(held, upload, left, tooLarge);
  } catch (error) {
    throw upload?.signal.reason instanceof UploadTooSlow ? upload.signal.reason : error;
  } finally {
    await held.release();
    upload?.end();
  }

  async function append(
    { upload: before, holder, progress }: Held,
    { signal, bytesReceived }: Upload,
    left: number,
    tooLarge: () => Error,
  ) {
    const hash = checksum && createHash(checksum.algorithm);
    const unverified: StoredPart[] = [];
    let current: ResumableUpload | undefined = before;
    let size = 0;

    async function* counted(piece: AsyncIterable<Uint8Array>, part: StoredPart): AsyncGenerator<Uint8Array> {
      for await (const chunk of piece) {
        progress.isActive = true;
        bytesReceived(chunk.length);
        size += chunk.length;
        part.size += chunk.length;
        if (size > left) throw tooLarge();
        hash?.update(chunk);
        yield chunk;
      }
      progress.isBusy = true;
    }
    const commit = async () => {
      // After an error they may have been appended all the same, so they are left to the reaper.
      const stored = unverified.splice(0);
      current = await uploadRepository(db).append(id.id, holder, stored, passport);
      if (current) return;
      unverified.push(...stored);
      throw locked();
    };

    try {
      for await (const piece of splitBody(raw, { maxBytes: maxPieceBytes, maxMs: maxPieceMs, signal })) {
        const part = { key: createKey('part'), size: 0 };
        if (!(await uploadRepository(db).addPart(id.id, part.key))) throw uploadNotFound();
        unverified.push(part);
        await storage.put(part.key, counted(piece, part));
        if (!checksum) await commit();
        progress.isBusy = false;
      }
      // Without all bytes, the checksum cannot be verified.
      if (hash && hash.digest('base64') !== checksum?.digest) throw new ChecksumMismatch();
      if (unverified.length > 0) await commit();
    } catch (error) {
      // What cannot be removed now is left to the reaper.
      for (const { key } of unverified) await removePart(deps, key).catch(() => undefined);
      throw error;
    }
    if (signal.aborted) throw signal.reason;
    return current;
  }
}

/** For an upload that has all its bytes, or another writer. */
async function refuseBytes({ db }: ResumableDeps, id: UploadId, { raw, offset }: Pick<Bytes, 'raw' | 'offset'>) {
  const upload = await uploadRepository(db).find(id);
  if (!upload) throw uploadNotFound();
  if (upload.status === 'receiving') throw locked();
  if (offset !== upload.length) throw offsetConflict(upload.length);
  if (announcedBytes(raw) > 0) throw new UploadTooLarge({ details: { maxBytes: upload.length } });
  return upload;
}

const announcedBytes = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0);
