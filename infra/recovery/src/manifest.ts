import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { RecoveryError } from './recovery-error.ts';

export const StoredFile = Type.Object({
  path: Type.String({ pattern: '^[a-z0-9][a-z0-9._/-]*$' }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type StoredFile = Static<typeof StoredFile>;

/** A migration that a database has been through, as drizzle notes it. */
export const Migration = Type.Object({ hash: Type.String(), createdAt: Type.Integer() });
export type Migration = Static<typeof Migration>;

export const Table = Type.Object({
  name: Type.String(),
  /** Without generated ones: those are made anew. */
  columns: Type.Array(Type.String()),
  rows: Type.Integer({ minimum: 0 }),
  file: StoredFile,
});
export type Table = Static<typeof Table>;

const Sequence = Type.Object({ name: Type.String(), lastValue: Type.String(), isCalled: Type.Boolean() });
export type Sequence = Static<typeof Sequence>;

export const DatabaseBackup = Type.Object({
  migrations: Type.Array(Migration),
  /** In the order in which they can be filled: what is referred to comes first. */
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
    /** `listed`: the bytes stay where they are, in a storage that is kept safe by other means. */
    kept: Type.Union([Type.Literal('copied'), Type.Literal('listed')]),
    count: Type.Integer(),
    bytes: Type.Integer(),
    list: StoredFile,
  }),
  quotas: Type.Union([StoredFile, Type.Null()]),
  /** What only the local stack keeps in files: its accounts, and how far it was seeded. */
  local: Type.Array(StoredFile),
});
export type Manifest = Static<typeof Manifest>;

const nameOf = (folder: string) => join(folder, 'manifest.json');
const sealOf = (folder: string) => join(folder, 'manifest.sha256');
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** Written last: a folder without it, or without its seal, is no backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(`${nameOf(folder)}.part`, text, { mode: 0o600, flush: true });
  await writeFile(sealOf(folder), `${digest(text)}  manifest.json\n`, { mode: 0o600, flush: true });
  await rename(`${nameOf(folder)}.part`, nameOf(folder));
}

/** @throws RecoveryError when the folder holds no complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(nameOf(folder), `${folder} holds no complete backup: manifest.json is missing`);
  const seal = await readText(sealOf(folder), `${folder} holds no complete backup: manifest.sha256 is missing`);
  if (seal.split(' ')[0] !== digest(text)) throw new RecoveryError('manifest.json is not what was written');
  const manifest: unknown = JSON.parse(text);
  if (!Value.Check(Manifest, manifest)) throw new RecoveryError('manifest.json is of another format');
  return manifest;
}

async function readText(path: string, otherwise: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new RecoveryError(otherwise, { cause });
  }
}
