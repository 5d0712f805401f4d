import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** An error that an operator can fix. Nothing was changed unless the message says so. */
export class RecoveryError extends Error {
  override name = 'RecoveryError';
}

export const StoredFile = Type.Object({
  path: Type.String({ pattern: '^[a-z0-9][a-z0-9._/-]*$' }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type StoredFile = Static<typeof StoredFile>;

/** An applied migration, as drizzle stores it. */
export const Migration = Type.Object({ hash: Type.String(), createdAt: Type.Integer() });
export type Migration = Static<typeof Migration>;

export const Table = Type.Object({
  name: Type.String(),
  /** Without generated columns. */
  columns: Type.Array(Type.String()),
  rows: Type.Integer({ minimum: 0 }),
  file: StoredFile,
});
export type Table = Static<typeof Table>;

const Sequence = Type.Object({ name: Type.String(), lastValue: Type.String(), isCalled: Type.Boolean() });
export type Sequence = Static<typeof Sequence>;

export const DatabaseBackup = Type.Object({
  migrations: Type.Array(Migration),
  /** In the order in which they can be filled: referenced tables come first. */
  tables: Type.Array(Table),
  sequences: Type.Array(Sequence),
});
export type DatabaseBackup = Static<typeof DatabaseBackup>;

export const Manifest = Type.Object({
  format: Type.Literal(1),
  takenAt: Type.String(),
  databases: Type.Object({
    identity: DatabaseBackup,
    content: DatabaseBackup,
    media: DatabaseBackup,
    enrollment: DatabaseBackup,
  }),
  objects: Type.Object({
    /** `listed`: the backup does not contain the objects, because their storage has backups of its own. */
    kept: Type.Union([Type.Literal('copied'), Type.Literal('listed')]),
    count: Type.Integer(),
    bytes: Type.Integer(),
    list: StoredFile,
  }),
  /** The ids of the anonymized users. Backups of earlier versions do not have it. */
  erasures: Type.Optional(StoredFile),
  quotas: Type.Union([StoredFile, Type.Null()]),
  /** Files of a local stack: accounts and keys of its identity provider, and the state of the seeding. */
  local: Type.Array(StoredFile),
});
export type Manifest = Static<typeof Manifest>;

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** Written last, so that an incomplete backup has no manifest or no checksum. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = join(folder, 'manifest.json');
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const checksum = `${digest(text)}  manifest.json\n`;
  await writeFile(`${file}.part`, text, { mode: 0o600, flush: true });
  await writeFile(join(folder, 'manifest.sha256'), checksum, { mode: 0o600, flush: true });
  await rename(`${file}.part`, file);
}

/** @throws RecoveryError if the folder does not contain a complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const read = (name: string) =>
    readFile(join(folder, name), 'utf8').catch((cause: unknown) => {
      throw new RecoveryError(`${folder} is not a complete backup: ${name} is missing`, { cause });
    });
  const text = await read('manifest.json');
  const checksum = await read('manifest.sha256');
  if (checksum.split(' ')[0] !== digest(text))
    throw new RecoveryError('manifest.json was changed: its checksum does not match');
  const manifest: unknown = JSON.parse(text);
  if (!Value.Check(Manifest, manifest)) throw new RecoveryError('manifest.json has an unknown format');
  return manifest;
}

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
