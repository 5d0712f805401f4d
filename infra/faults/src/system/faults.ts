import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Database, databases, provisionDatabase } from 'local/databases';
import { readReply } from 'local/processes/servers';
import type { Random } from 'random';
import type { System } from './system.ts';

export interface Fault {
  name: string;
  /** What is disturbed, most often a process. Two faults of one part are never injected at the same time. */
  part: string;
  /** The parts whose routes may fail meanwhile; none for what requests do not need. */
  breaks: readonly string[];
  /** Injects the fault, and removes it after `durationMs`. */
  inject(system: System, durationMs: number, part: string): Promise<unknown>;
}

/** Two or three faults of different parts, to be injected at the same time. */
export function mix(faults: Fault[], random: Random): Fault[] {
  const onePerPart = new Map(random.shuffle(faults).map((fault) => [fault.part, fault]));
  return [...onePerPart.values()].slice(0, random.int(2, 3));
}

const gateways = ['gateway', 'second-gateway'];
export const clients = [...databases, ...gateways, 'media-worker'];
const servers = ['postgres', 'nats', 'redis'];
const all = [...clients, ...servers, 'identity-provider'];
/** Requests go on without these. */
const spare = ['nats', 'redis', 'identity-provider', 'media-worker'];
const nothing = async () => undefined;

/** A fault of each of these processes. */
const disturb = (verb: string, names: string[], inject: Fault['inject'], harmless = spare): Fault[] =>
  names.map((part) => {
    const breaks = part === 'postgres' ? clients : [part].filter((name) => !harmless.includes(name));
    return { name: `${verb} ${part}`, part, breaks, inject };
  });

/** Resets the connections to PostgreSQL, NATS and Redis ten times. */
const resetConnections: Fault['inject'] = async (system, durationMs, name) => {
  for (let times = 0; times < 10; times += 1) {
    system.resetConnections(name);
    await pause(durationMs / 10);
  }
};

/** The library of the Debian package libfaketime. */
export const fakeClock = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync);

/** Restarts a process with a clock that is ahead or behind, and again with the right one. */
const skewClock =
  (seconds: string): Fault['inject'] =>
  async ({ whileStopped }, durationMs, name) => {
    const fake = { LD_PRELOAD: String(fakeClock), FAKETIME: `${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    await whileStopped([name], nothing, fake);
    await pause(durationMs);
    await whileStopped([name], nothing);
  };

/** NATS loses what it stored in the meantime, as after a failover to a replica that is behind. */
const rollBackNats: Fault['inject'] = async ({ directory, whileStopped }, durationMs) => {
  const [store, copy] = [join(directory, 'nats', 'store'), join(directory, 'nats', 'copy')];
  await whileStopped(['nats'], () => cp(store, copy, { recursive: true }));
  await pause(durationMs);
  await whileStopped(['nats'], async () => {
    await rm(store, { recursive: true });
    await rename(copy, store);
  });
};

const flushRedis: Fault['inject'] = ({ redisUrl }) => readReply(Number(new URL(redisUrl).port), 'FLUSHALL\r\n');

/** The link to the folder of the objects leads nowhere, so that every access fails. */
const breakStorage: Fault['inject'] = async ({ directory, storagePath }, durationMs) => {
  // Renaming replaces the link at once: media would create a folder that is missing.
  const relink = async (target: string) => {
    await symlink(target, `${storagePath}.next`);
    await rename(`${storagePath}.next`, storagePath);
  };
  await relink('/dev/null');
  await pause(durationMs);
  await relink(join(directory, 'disk'));
};

/** One database is restored to an earlier moment, while the processes that use it are stopped. */
const restore =
  (database: Database): Fault['inject'] =>
  async ({ sql, postgresUrl, secrets, restores, whileStopped }, durationMs) => {
    const users = database === 'media' ? ['media', 'media-worker'] : [database];
    const [name, copy] = [sql(database), sql(`${database}_copy`)];
    let since = 0;
    await whileStopped(users, async () => {
      // Killed processes leave sessions, and a database in use cannot be copied.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
      await sql`create database ${copy} template ${name}`;
      since = Date.now();
    });
    await pause(durationMs);
    await whileStopped(users, async () => {
      await sql`drop database ${name} with (force)`;
      await sql`alter database ${copy} rename to ${name}`;
      await sql`alter database ${name} owner to ${sql(`${database}_owner`)}`;
      await provisionDatabase(postgresUrl, database, secrets.databases[database]);
      restores.push({ database, since, until: Date.now() });
    });
  };

/** Fills the disk of a folder in the data directory, also with what is removed from it in the meantime. */
const fill =
  (folder: string, use: (system: System) => Promise<unknown> = nothing): Fault['inject'] =>
  async (system, durationMs) => {
    const filler = join(system.directory, folder, 'filler');
    // Fails when the disk is full.
    const fillUp = () => promisify(execFile)('sh', ['-c', 'cat /dev/zero >> "$0"', filler]).catch(() => undefined);
    await fillUp();
    const fullSince = Date.now();
    while (Date.now() < fullSince + durationMs) {
      await use(system);
      await pause(50);
      await fillUp();
    }
    await rm(filler);
  };

// PostgreSQL has allocated some files of its log in advance. Without more space, it ends when they are full.
const useUpLog = ({ sql }: System) =>
  sql`select pg_logical_emit_message(true, 'fill', ''), pg_switch_wal()`.catch(() => undefined);
const fillNats: Fault['inject'] = async (system, ...options) => {
  await fill('nats')(system, ...options);
  // A full disk can stop JetStream for good: then the server does not even end at SIGTERM.
  await system.whileStopped(['nats'], nothing);
};

const faults: Fault[] = [
  ...disturb('kill', all, ({ kill }, _, name) => kill(name)),
  ...disturb('freeze', all, ({ freeze }, durationMs, name) => freeze(name, durationMs)),
  ...disturb('stop', servers, ({ whileStopped }, durationMs, name) => whileStopped([name], () => pause(durationMs))),
  ...disturb('reset connections of', clients, resetConnections, [...spare, ...gateways]),
  ...disturb('clock +60 s of', fakeClock ? clients : [], skewClock('+60')),
  ...disturb('clock -60 s of', fakeClock ? clients : [], skewClock('-60')),
  ...databases.map((name) => ({ name: `restore ${name}`, part: name, breaks: [name], inject: restore(name) })),
  { name: 'roll back NATS', part: 'nats', breaks: [], inject: rollBackNats },
  { name: 'flush Redis', part: 'redis', breaks: [], inject: flushRedis },
  { name: 'break storage', part: 'storage', breaks: ['media'], inject: breakStorage },
  { name: 'fill storage', part: 'storage', breaks: ['media'], inject: fill('disk') },
  { name: 'fill PostgreSQL', part: 'postgres', breaks: clients, inject: fill('postgres', useUpLog) },
  { name: 'fill NATS', part: 'nats', breaks: [], inject: fillNats },
];

/** All that can be injected on this machine and in this run. */
export const listFaults = ({ hasSmallDisks, proxied }: System): Fault[] =>
  faults
    .filter(({ name }) => hasSmallDisks || !name.startsWith('fill '))
    .filter(({ name, part }) => proxied.includes(part) || !name.startsWith('reset '));
