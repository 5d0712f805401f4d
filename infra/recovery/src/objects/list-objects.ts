import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { ReservedSql } from 'postgres';

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

export function* toLines(objects: ListedObject[]): Generator<Uint8Array> {
  for (const object of objects) yield Buffer.from(`${JSON.stringify(object)}\n`);
}

export async function* readLines(path: string): AsyncGenerator<ListedObject> {
  for await (const line of createInterface({ input: createReadStream(path) }))
    yield Value.Parse(ListedObject, JSON.parse(line));
}
