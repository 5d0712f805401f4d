import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { isDeadlock, isLockTimeout } from './errors.ts';

// An arbitrary number, the same in every process.
const migrationLock = 4_217_061_905;
const maxAttempts = 20;
const retryMs = 1_000;

/** Applies the migrations in a folder. If several processes start at once, one migrates and the others wait. */
export async function migrateDatabase(url: string, migrationsFolder: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 10 });
  try {
    // drizzle's migrate() takes no lock; a session lock on this single connection protects it.
    await sql`select pg_advisory_lock(${migrationLock})`;
    await requireUtf8(sql);
    // All requests for a table wait behind a migration that waits for its lock; so it gives up soon, and tries again.
    await sql`set lock_timeout = '2s'`;
    for (let attempt = 1; ; attempt += 1) {
      const error = await migrate(drizzle(sql), { migrationsFolder }).then(
        () => undefined,
        (cause: unknown) => cause,
      );
      if (error === undefined) break;
      if (!(isLockTimeout(error) || isDeadlock(error)) || attempt === maxAttempts) throw error;
      await pause(retryMs);
    }
    // The services' own roles read this table for their readiness.
    await sql`grant usage on schema drizzle to public`;
    await sql`grant select on all tables in schema drizzle to public`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws Error if a new database has another encoding, in which searches fail and lengths are counted in bytes */
async function requireUtf8(sql: postgres.Sql) {
  const [database] = await sql`
    select pg_encoding_to_char(encoding) as encoding, to_regclass('drizzle.__drizzle_migrations') is null as "isNew"
    from pg_database where datname = current_database()`;
  if (database?.isNew && database.encoding !== 'UTF8')
    throw new Error(`The database has the encoding ${database.encoding}, but UTF8 is required`);
}
