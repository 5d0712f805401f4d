import { waitFor } from '@lms/testing/wait-for';
import { databases } from 'local/databases';
import postgres from 'postgres';
import t from 'tap';
import { knownMigrations } from '../src/databases.ts';
import { fillTables } from './fill-tables.ts';
import { migrateTo } from './migrate-to.ts';
import { openDatabases, withSql } from './test-system.ts';

const rows = 5_000;
/** The time that a service gives a statement, less than that of a request. */
const statementTimeoutMs = 8_000;
const users = 3;
/** The number of migrations. Earlier ones were rehearsed when they were new. */
const newest = 5;

const quote = (name: string) => `"${name}"`;

/** Reads and writes all tables until the end, as requests do. */
function startUsers(url: string, tables: string[]) {
  const failures: unknown[] = [];
  let [statements, hasEnded] = [0, false];
  const work = async () => {
    const connection = { statement_timeout: statementTimeoutMs };
    const sql = postgres(url, { max: 1, prepare: false, connection, onnotice: () => undefined });
    while (!hasEnded)
      for (const table of tables.map(quote)) {
        await sql
          .begin(async (tx) => {
            const [row] = await tx.unsafe(`select ctid::text as place from ${table} limit 1`);
            const [{ name: column } = { name: '' }] = await tx`
              select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0
                and not attisdropped and attidentity = '' and attgenerated = '' limit 1`;
            const change = `${quote(column)} = ${quote(column)}`;
            await tx.unsafe(`update ${table} set ${change} where ctid = '${row?.place ?? '(0,0)'}'`);
          })
          .catch((error: unknown) => failures.push(error));
        statements += 1;
      }
    await sql.end();
  };
  const working = Array.from({ length: users }, work);
  return {
    failures,
    statements: () => statements,
    async end() {
      hasEnded = true;
      await Promise.all(working);
    },
  };
}

/** Migrates while a transaction that has read all tables holds up what changes them. Statements do not wait behind it for long. */
async function migrateUnderLoad(
  url: string,
  tables: string[],
  migrateDatabase: () => Promise<void>,
  statements: () => number,
) {
  let hasMigrated = false;
  let migrated = Promise.resolve();
  await withSql(url, (sql) =>
    sql.begin(async (tx) => {
      for (const table of tables) await tx.unsafe(`select 1 from ${quote(table)} limit 1`);
      migrated = migrateDatabase().finally(() => {
        hasMigrated = true;
      });
      migrated.catch(() => undefined);
      const isWaiting = async () =>
        (await tx`select 1 from pg_locks where mode = 'AccessExclusiveLock' and not granted`).length > 0;
      await waitFor(async () => hasMigrated || (await isWaiting()), { timeoutMs: 60_000 });
      const before = statements();
      await waitFor(() => hasMigrated || statements() > before + users * tables.length, { timeoutMs: 60_000 });
    }),
  );
  await migrated;
}

t.test('filled databases are migrated while they are used, and no statement fails', async (t) => {
  const urls = await openDatabases(t);
  const migrate = async (name: (typeof databases)[number]) => {
    const url = urls[name];
    const last = knownMigrations(name).length;
    const first = last - newest;
    const tables = await withSql(url, async (sql) => {
      await sql.unsafe('drop schema public cascade; create schema public; drop schema drizzle cascade');
      await migrateTo(url, name, first);
      return fillTables(sql, rows);
    });
    const load = startUsers(url, tables);
    try {
      for (let count = first + 1; count <= last; count += 1) {
        const before = load.statements();
        await migrateUnderLoad(url, tables, () => migrateTo(url, name, count), load.statements);
        t.ok(load.statements() > before, `${name} is used during migration ${count}`);
      }
    } finally {
      await load.end();
    }
    t.same(load.failures, [], name);
  };
  await Promise.all(databases.map(migrate));
});
