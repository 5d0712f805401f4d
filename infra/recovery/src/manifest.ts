import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ObjectMissing, type Storage } from 'media/storage';

/** An error that an operator can fix. Nothing was changed unless the message says so. */
export class RecoveryError extends Error {
  override name = 'RecoveryError';
}

const StoredFile = Type.Object({ path: Type.String(), sha256: Type.String() });

const Snapshot = Type.Object({
  /** The applied migrations in their order, as drizzle stores them. */
  migrations: Type.Array(Type.Object({ hash: Type.String() })),
  /** `lastValue` is null for a sequence that was not used. */
  sequences: Type.Array(Type.Object({ name: Type.String(), lastValue: Type.Union([Type.String(), Type.Null()]) })),
});
export type Snapshot = Static<typeof Snapshot>;

const Manifest = Type.Object({
  takenAt: Type.String(),
  databases: Type.Object({ identity: Snapshot, content: Snapshot, media: Snapshot, enrollment: Snapshot }),
  /** `listed`: the backup does not contain the objects, because their storage has backups of its own. */
  objects: Type.Object({ kept: Type.Union([Type.Literal('copied'), Type.Literal('listed')]) }),
  /** All files except objects. Tables are in the order in which they can be filled. */
  files: Type.Array(StoredFile),
});
export type Manifest = Static<typeof Manifest>;

/** @throws RecoveryError if the backup is incomplete, or one of its files is missing or was changed */
export async function readManifest(folder: string): Promise<Manifest> {
  // Backups of earlier versions describe their files in several places.
  const files: Manifest['files'] = [];
  const collectFiles = (_: string, value: unknown) => {
    if (Value.Check(StoredFile, value)) files.push(value);
    return value;
  };
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch((cause: unknown) => {
    throw new RecoveryError(`${folder} is not a complete backup`, { cause });
  });
  const manifest = { ...JSON.parse(text, collectFiles), files };
  if (!Value.Check(Manifest, manifest)) throw new RecoveryError('manifest.json has an unknown format');
  for (const { path, sha256 } of files) {
    const found = await hash(createReadStream(join(folder, path))).catch(() => undefined);
    if (found !== sha256) throw new RecoveryError(`${path} is missing or was changed: its checksum does not match`);
  }
  return manifest;
}

type Source = AsyncIterable<Uint8Array> | string[];
export type Store = (path: string, source: Source) => Promise<void>;

/** Writes a file of the backup that only its owner may read. */
export async function storeFile(folder: string, path: string, source: Source): Promise<Static<typeof StoredFile>> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await pipeline(source, createWriteStream(target, { mode: 0o600, flush: true }));
  return { path, sha256: await hash(createReadStream(target)) };
}

/** An object as in the row of media; `checksum` begins with `sha256:`. */
export interface ListedObject {
  key: string;
  checksum: string;
}

/** @throws RecoveryError if an object was changed or, with ObjectMissing as its cause, if it is not there */
export async function checkObject(storage: Storage, { key, checksum }: ListedObject): Promise<void> {
  if (`sha256:${await hash(await openObject(storage, key))}` !== checksum)
    throw new RecoveryError(`object ${key} was changed: its checksum does not match`);
}

export const openObject = (storage: Storage, key: string) =>
  storage.open(key).catch((cause: unknown) => {
    throw cause instanceof ObjectMissing ? new RecoveryError(`object ${key} is not in storage`, { cause }) : cause;
  });

async function hash(bytes: Readable): Promise<string> {
  const sha256 = createHash('sha256');
  await pipeline(bytes, sha256);
  return sha256.digest('hex');
}
