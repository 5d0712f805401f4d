import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

// Any number will do, as long as every migrating process takes the same one.
const migrationLock = 4_217_061_905;

/** Brings a database up to the migrations in a folder. Of several processes that try at once, one does it and the others wait. */
export async function migrateDatabase(url: string, migrationsFolder: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 10 });
  try {
    // drizzle's migrate() takes no lock of its own; a session lock on this single connection covers it.
    await sql`select pg_advisory_lock(${migrationLock})`;
    await migrate(drizzle(sql), { migrationsFolder });
    // Whoever may enter the database may know how far it is: readiness depends on it.
    await sql`grant usage on schema drizzle to public`;
    await sql`grant select on all tables in schema drizzle to public`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
