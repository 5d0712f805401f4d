import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

// An arbitrary number, the same in every process.
const migrationLock = 4_217_061_905;

/** Applies the migrations in a folder. If several processes start at once, one migrates and the others wait. */
export async function migrateDatabase(url: string, migrationsFolder: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 10 });
  try {
    // drizzle's migrate() takes no lock; a session lock on this single connection protects it.
    await sql`select pg_advisory_lock(${migrationLock})`;
    await migrate(drizzle(sql), { migrationsFolder });
    // The services' own roles read this table for their readiness.
    await sql`grant usage on schema drizzle to public`;
    await sql`grant select on all tables in schema drizzle to public`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
