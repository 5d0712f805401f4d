import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { erasureLedger } from '@lms/contracts/events/identity';
import { openLedger } from '@lms/events/ledger';
import type { NatsConnection } from 'nats';
import type { Sql } from 'postgres';
import { withSql } from './databases/describe-database.ts';
import type { StoredFile } from './manifest.ts';
import { storeFile } from './stored-files.ts';

const fileName = 'erasures.txt';

/** Stores the ids of the anonymized users, so that a restore of an earlier backup finds them. */
export async function storeErasures(identity: Sql, folder: string): Promise<StoredFile> {
  return storeFile(folder, fileName, (await listErased(identity)).join('\n'));
}

/** The ids of users whom this backup, another one in the same folder, or the database that is replaced knows to be anonymized. */
export async function collectErasures(identityUrl: string, folder: string): Promise<string[]> {
  const parent = dirname(folder);
  const files = (await readdir(parent)).map((name) => join(parent, name, fileName));
  const stored = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const known = await withSql(identityUrl, listErased);
  return [...new Set([...stored.flatMap((text) => text.split('\n')), ...known])].filter(Boolean);
}

async function listErased(identity: Sql): Promise<string[]> {
  const columns = await identity`
    select 1 from information_schema.columns where table_name = 'users' and column_name = 'anonymized_at'`;
  if (columns.length === 0) return [];
  const rows = await identity`select id from users where anonymized_at is not null order by id`;
  return rows.map(({ id }) => String(id));
}

/** Adds them to the ledger, from which identity anonymizes them again when it starts. */
export async function recordErasures(connection: NatsConnection, ids: string[]): Promise<void> {
  const connected = { connection, jetstream: connection.jetstream(), manager: await connection.jetstreamManager() };
  const ledger = openLedger({ connected: async () => connected }, erasureLedger);
  const known = new Set(await ledger.keys());
  for (const id of ids) if (!known.has(id)) await ledger.add(id);
}
