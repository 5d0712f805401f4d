import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ObjectMissing, type Storage } from 'media/storage';
import type { ReservedSql } from 'postgres';
import { createMeter, RecoveryError } from './manifest.ts';

/** An object as in the row of media; `checksum` begins with `sha256:`. */
const ListedObject = Type.Object({ key: Type.String(), size: Type.Integer(), checksum: Type.String() });
export type ListedObject = Static<typeof ListedObject>;

/** Lists the objects that are completely stored, without running uploads. */
export async function listObjects(snapshot: ReservedSql): Promise<ListedObject[]> {
  const rows = await snapshot<{ key: string; size: string; checksum: string }[]>`
    select key, size, checksum from objects
    where status in ('offered', 'ready', 'removing') and checksum <> '' order by key`;
  return rows.map(({ key, size, checksum }) => ({ key, size: Number(size), checksum }));
}

export const toLines = (objects: ListedObject[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('');

export async function* readLines(path: string): AsyncGenerator<ListedObject> {
  for await (const line of createInterface({ input: createReadStream(path) }))
    yield Value.Parse(ListedObject, JSON.parse(line));
}

/** Reads an object. @throws ObjectMissing, RecoveryError unless its size and checksum match those in its row */
export async function checkObject(storage: Storage, object: ListedObject): Promise<void> {
  for await (const _chunk of checked(storage, object));
}

/** Copies an object unless the target has it unchanged. @throws as `checkObject` */
export async function copyObject(from: Storage, to: Storage, object: ListedObject): Promise<void> {
  if (await isUnchanged(to, object)) return;
  // Also what a copy that was killed has left.
  await to.remove(object.key);
  await to.put(object.key, checked(from, object));
}

const isUnchanged = (storage: Storage, object: ListedObject): Promise<boolean> =>
  checkObject(storage, object).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RecoveryError || error instanceof ObjectMissing) return false;
      throw error;
    },
  );

async function* checked(storage: Storage, { key, size, checksum }: ListedObject): AsyncGenerator<Uint8Array> {
  const meter = createMeter();
  yield* meter.through(await storage.open(key));
  const { bytes, sha256 } = meter.result();
  if (bytes !== size || `sha256:${sha256}` !== checksum)
    throw new RecoveryError(`object ${key} was changed: its checksum does not match`);
}
