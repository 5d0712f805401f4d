import { existsSync } from 'node:fs';
import { cp, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@lms/testing/wait-for';
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
  inject(system: System, durationMs: number): Promise<unknown>;
}

/** Two or three faults of different parts, to be injected at the same time. */
export function mix(faults: Fault[], random: Random): Fault[] {
  const onePerPart = new Map(random.shuffle(faults).map((fault) => [fault.part, fault]));
  return [...onePerPart.values()].slice(0, random.int(2, 3));
}

const gateways = ['gateway', 'second-gateway'];
const clients = [...databases, ...gateways, 'media-worker'];
const servers = ['postgres', 'nats', 'redis'];
const all = [...clients, ...servers, 'identity-provider'];
/** Requests go on without these. */
const spare = ['nats', 'redis', 'identity-provider', 'media-worker'];
const nothing = async () => undefined;

type Disturb = (system: System, name: string, durationMs: number) => Promise<unknown>;

/** A fault of each of these processes. */
const disturb = (verb: string, names: string[], work: Disturb, harmless = spare): Fault[] =>
  names.map((name) => ({
    name: `${verb} ${name}`,
    part: name,
    breaks: name === 'postgres' ? clients : harmless.includes(name) ? [] : [name],
    inject: (system, durationMs) => work(system, name, durationMs),
  }));

/** Resets the connections to PostgreSQL, NATS and Redis ten times. */
const resetConnections: Disturb = async (system, name, durationMs) => {
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
  (seconds: string): Disturb =>
  async ({ whileStopped }, name, durationMs) => {
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

const flushRedis: Fault['inject'] = ({ urlOf }) => readReply(Number(new URL(urlOf('redis')).port), 'FLUSHALL\r\n');

/** The link to the folder of the objects leads nowhere, so that every access fails. */
const breakStorage: Fault['inject'] = async ({ context: { storagePath } }, durationMs) => {
  const folder = await readlink(storagePath);
  // Renaming replaces the link at once: media would create a folder that is missing.
  const relink = async (target: string) => {
    await symlink(target, `${storagePath}.next`);
    await rename(`${storagePath}.next`, storagePath);
  };
  await relink('/dev/null');
  await pause(durationMs);
  await relink(folder);
};

/** One database is restored to an earlier moment, while the processes that use it are stopped. */
const restore =
  (database: Database): Fault['inject'] =>
  async (system, durationMs) => {
    const { sql } = system;
    // A database in use can be neither copied nor replaced, and killed processes leave sessions.
    const endSessions = () => sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database} and pid <> pg_backend_pid()`;
    const whileUnused = (work: () => Promise<unknown>) =>
      system.whileStopped(database === 'media' ? ['media', 'media-worker'] : [database], async () => {
        await waitFor(async () => (await endSessions()).length === 0);
        await work();
      });
    const [name, copy] = [sql(database), sql(`${database}_copy`)];
    let since = 0;
    await whileUnused(async () => {
      await sql`create database ${copy} template ${name}`;
      since = Date.now();
    });
    await pause(durationMs);
    await whileUnused(async () => {
      await sql`drop database ${name}`;
      await sql`alter database ${copy} rename to ${name}`;
      await sql`alter database ${name} owner to ${sql(`${database}_owner`)}`;
      await provisionDatabase(system.urlOf('postgres'), database, system.context.secrets.databases[database]);
      system.restores.push({ database, since, until: Date.now() });
    });
  };

function* zeros() {
  for (;;) yield Buffer.alloc(256 * 1024);
}

/** Fills the disk of a folder in the data directory, also with what is removed from it in the meantime. */
const fill =
  (folder: string, use: (system: System) => Promise<unknown> = nothing): Fault['inject'] =>
  async (system, durationMs) => {
    const filler = join(system.directory, folder, 'filler');
    const fillUp = () =>
      writeFile(filler, zeros(), { flag: 'a' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      });
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
const fillNats: Fault['inject'] = async (system, durationMs) => {
  await fill('nats')(system, durationMs);
  // A full disk can stop JetStream for good: then the server does not even end at SIGTERM.
  await system.whileStopped(['nats'], nothing);
};

const faults: Fault[] = [
  ...disturb('kill', all, ({ kill }, name) => kill(name)),
  ...disturb('freeze', all, ({ freeze }, name, durationMs) => freeze(name, durationMs)),
  ...disturb('stop', servers, ({ whileStopped }, name, durationMs) => whileStopped([name], () => pause(durationMs))),
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

/** All that can be injected on this machine. */
export const listFaults = ({ hasSmallDisks }: System): Fault[] =>
  faults.filter(({ name }) => hasSmallDisks || !name.startsWith('fill '));
