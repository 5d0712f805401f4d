import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'local/databases';
import type { Invariant } from '../invariants/invariant.ts';
import type { Run } from '../run.ts';

export interface Planted {
  name: string;
  /** The invariants that are violated, and no others. */
  expected: Invariant[];
  /** Violates an invariant. Returns a function that removes the violation. */
  plant(run: Run): Promise<() => Promise<unknown>>;
}

/** Changes rows as the superuser, without triggers and constraints that would refuse it. */
export const inDatabase =
  (database: Database, change: string, undo: string) =>
  async ({ system }: Run) => {
    await system.sql(database).unsafe(change);
    return () => system.sql(database).unsafe(undo);
  };

/** Removes the newest row of a table, and puts it back. */
export const withoutNewest = (database: Database, table: string, order: string, where = 'true') =>
  inDatabase(
    database,
    `create table removed as select * from ${table} where ${where} order by ${order} desc limit 1;
      delete from ${table} as t using removed r where t.${order} = r.${order} and to_jsonb(t) = to_jsonb(r)`,
    `insert into ${table} overriding system value select * from removed; drop table removed`,
  );

/** Copies the newest row of a table under another id. */
export const withNewestTwice = (database: Database, table: string, where = 'true') =>
  inDatabase(
    database,
    `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || '{"id": "planted0000000000000000a"}')).*
      from (select * from ${table} where ${where} order by created_at desc limit 1) t`,
    `delete from ${table} where id = 'planted0000000000000000a'`,
  );

const oldestObject = async ({ system }: Run, kind: string) => {
  const [row] = await system.sql('media')`
    select key from objects where status = 'ready' and kind = ${kind} order by uploaded_at limit 1`;
  return join(system.storagePath, String(row?.key).slice(-2), String(row?.key));
};

/** Moves the object of a row aside. */
export const withoutObject = (kind: string) => async (run: Run) => {
  const path = await oldestObject(run, kind);
  const aside = join(run.system.directory, 'aside');
  const bytes = await readFile(path);
  await rename(path, aside).catch(() => rm(path));
  return () => writeFile(path, bytes);
};
