import { setTimeout as pause } from 'node:timers/promises';
import { type Database, withConnection } from 'local/databases';
import type { Sql } from 'postgres';
import type { DatabaseBackup, Migration } from '../manifest.ts';
import { RecoveryError } from '../recovery-error.ts';
import { describeTables, listMigrations, quote } from './describe-database.ts';
import { knownMigrations } from './known-migrations.ts';

const startsWith = (all: Migration[], some: Migration[]) =>
  some.length <= all.length && some.every(({ hash }, index) => all[index]?.hash === hash);

/** PostgreSQL lists a connection for a moment after the client has closed it. */
const closingTimeoutMs = 3_000;

/** Changes nothing. @throws RecoveryError unless the backup can be restored into the database */
export async function checkTarget(url: string, name: Database, backup: DatabaseBackup, replace: boolean) {
  if (!startsWith(await knownMigrations(name), backup.migrations))
    throw new RecoveryError(
      `${name}: the backup has migrations that this version does not know; use the version that made it`,
    );
  await withConnection(url, async (sql) => {
    await assertNoConnections(sql, name);
    if (!startsWith(backup.migrations, await listMigrations(sql)))
      throw new RecoveryError(
        `${name}: the database has migrations that the backup does not have; restore into a new, empty database`,
      );
    if (!replace) await assertEmpty(sql, name);
  });
}

async function assertNoConnections(sql: Sql, name: Database) {
  const deadline = Date.now() + closingTimeoutMs;
  for (;;) {
    const [row] = await sql`
      select count(*)::int as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    if (Number(row?.others) === 0) return;
    if (Date.now() > deadline)
      throw new RecoveryError(`${name}: ${row?.others} connections to the database are open; stop the services first`);
    await pause(100);
  }
}

async function assertEmpty(sql: Sql, name: Database) {
  for (const table of await describeTables(sql)) {
    const rows = await sql.unsafe(`select 1 from ${quote(table.name)} limit 1`);
    if (rows.length > 0) throw new RecoveryError(`${name}: ${table.name} has rows; use --replace to delete them`);
  }
}
