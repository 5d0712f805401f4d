import { cp, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, databases, provisionDatabase } from 'local/databases';
import { readReply } from 'local/processes/servers';
import type { System } from '../system/start-system.ts';
import type { Fault } from './fault.ts';

/** NATS loses what it stored in the meantime, as after a failover to a replica that is behind. */
const rollBackNats: Fault = {
  name: 'roll back NATS',
  part: 'nats',
  breaks: [],
  async inject({ directory, part }, durationMs) {
    const nats = part('nats');
    const [store, copy] = [join(directory, 'nats', 'store'), join(directory, 'nats', 'copy')];
    await nats.whileStopped(() => cp(store, copy, { recursive: true }));
    await pause(durationMs);
    await nats.whileStopped(async () => {
      await rm(store, { recursive: true });
      await rename(copy, store);
    });
  },
};

/** Ends what is left of the sessions of killed processes: a database in use can be neither copied nor replaced. */
async function endSessions({ sql }: System, database: Database) {
  const sessions = () =>
    sql('postgres')`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${database} and pid <> pg_backend_pid()`;
  while ((await sessions()).length > 0) await pause(50);
}

/** One database is restored to an earlier moment, while the processes that use it are stopped. */
const restoreDatabase = (database: Database): Fault => ({
  name: `restore ${database}`,
  part: database,
  breaks: [database],
  async inject(system, durationMs) {
    const users = (database === 'media' ? ['media', 'media-worker'] : [database]).map(system.part);
    const copy = `${database}_copy`;
    const stop = async () => {
      await Promise.all(users.map((user) => user.hold()));
      await system.disconnect();
      await endSessions(system, database);
    };
    const start = () => Promise.all(users.map((user) => user.release()));
    await stop();
    await system.sql('postgres').unsafe(`create database ${copy} template ${database}`);
    const from = Date.now();
    await start();
    await pause(durationMs);
    await stop();
    const sql = system.sql('postgres');
    await sql`drop database ${sql(database)} with (force)`;
    await sql`alter database ${sql(copy)} rename to ${sql(database)}`;
    await sql`alter database ${sql(database)} owner to ${sql(`${database}_owner`)}`;
    await provisionDatabase(system.part('postgres').url, database, system.context.secrets.databases[database]);
    system.restores.push({ database, from, to: Date.now() });
    await start();
  },
});

/** Sends a command to Redis, and returns its reply. */
export const sendToRedis = ({ part }: System, command: string): Promise<string> =>
  readReply(Number(new URL(part('redis').url).port), `${command}\r\n`);

const flushRedis: Fault = {
  name: 'flush Redis',
  part: 'redis',
  breaks: [],
  async inject(system) {
    const reply = await sendToRedis(system, 'FLUSHALL');
    if (!reply.startsWith('+OK')) throw new Error(`Redis responded ${reply}`);
  },
};

/** The link to the folder of the objects leads nowhere, so that every access fails. */
const breakStorage: Fault = {
  name: 'break storage',
  part: 'storage',
  breaks: ['media'],
  async inject({ storagePath }, durationMs) {
    const folder = await readlink(storagePath);
    // Renaming replaces the link at once: media would create a folder that is missing.
    const relink = async (target: string) => {
      await symlink(target, `${storagePath}.next`);
      await rename(`${storagePath}.next`, storagePath);
    };
    await relink('/dev/null');
    await pause(durationMs);
    await relink(folder);
  },
};

/** The faults of NATS, Redis, databases and storage. */
export const storeFaults: Fault[] = [rollBackNats, flushRedis, breakStorage, ...databases.map(restoreDatabase)];
