import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { streamName } from '@lms/contracts/events/definition';
import { erasureLedger } from '@lms/contracts/events/identity';
import { openLedger } from '@lms/events/ledger';
import { parseServers } from '@lms/events/servers';
import { withConnection } from 'local/databases';
import { connect, NatsError } from 'nats';
import type { Sql } from 'postgres';
import { isMissingDatabase } from './databases/tables.ts';
import { type StoredFile, storeFile } from './manifest.ts';

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
  const known = await withConnection(identityUrl, listErased).catch((error: unknown) => {
    if (!isMissingDatabase(error)) throw error;
    return [];
  });
  return [...new Set([...stored.flatMap((text) => text.split('\n')), ...known])].filter(Boolean);
}

async function listErased(identity: Sql): Promise<string[]> {
  const columns = await identity`
    select 1 from information_schema.columns where table_name = 'users' and column_name = 'anonymized_at'`;
  if (columns.length === 0) return [];
  const rows = await identity`select id from users where anonymized_at is not null order by id`;
  return rows.map(({ id }) => String(id));
}

/**
 * Deletes the stream with all its consumers, because it may contain events that the restored databases do not. The relays
 * create a new one and publish the events of the last week, which the outboxes contain; the inboxes prevent duplicate handling.
 * The ledger of erasures stays, and these are added to it.
 */
export async function deleteStream(natsUrl: string, erasures: string[]): Promise<void> {
  const connection = await connect({ ...parseServers(natsUrl), timeout: 5_000, maxReconnectAttempts: 2 });
  try {
    const manager = await connection.jetstreamManager();
    await manager.streams.delete(streamName).catch((error: unknown) => {
      if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
    });
    // From the ledger, identity anonymizes them again when it starts.
    const connected = { connection, jetstream: connection.jetstream(), manager };
    const ledger = openLedger({ connected: async () => connected }, erasureLedger);
    const known = new Set(await ledger.keys());
    for (const id of erasures) if (!known.has(id)) await ledger.add(id);
  } finally {
    await connection.close();
  }
}
