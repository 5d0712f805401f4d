import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from './manifest.ts';
import { RecoveryError } from './recovery-error.ts';

/** Counts and hashes the bytes of a stream. */
export function createMeter() {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { through, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Writes a file of the backup that only its owner may read. */
export async function storeFile(
  folder: string,
  path: string,
  source: AsyncIterable<Uint8Array> | string,
): Promise<StoredFile> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const meter = createMeter();
  const bytes = typeof source === 'string' ? Readable.from([Buffer.from(source)]) : source;
  await pipeline(bytes, meter.through, createWriteStream(target, { mode: 0o600, flush: true }));
  return { path, ...meter.result() };
}

/** @throws RecoveryError if the file is missing or was changed */
export async function checkFile(folder: string, { path, bytes, sha256 }: StoredFile): Promise<void> {
  const meter = createMeter();
  try {
    for await (const _chunk of meter.through(createReadStream(join(folder, path))));
  } catch (cause) {
    throw new RecoveryError(`${path} cannot be read`, { cause });
  }
  const found = meter.result();
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new RecoveryError(`${path} was changed: its checksum does not match`);
}
