import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'local/databases';
import { claimPorts } from 'local/free-ports';
import type { ProcessDefinition } from 'local/process';
import { gatewayProcess, type StackContext } from 'local/processes/service-processes';
import { loadSettings } from 'local/settings';
import { startStack } from 'local/start-stack';
import { createSupervisor } from 'local/supervisor';
import postgres, { type Sql } from 'postgres';
import { createPart, type Part } from './part.ts';
import { runVariable } from './process-tree.ts';
import { mountSmallDisks } from './small-disks.ts';

// All users of the workload send from one address, and only one of them is to have a quota.
const high = '100000000';
const ownSettings = {
  RATE_LIMIT_GENERAL: high,
  RATE_LIMIT_AUTH: high,
  RATE_LIMIT_UPLOAD: high,
  RATE_LIMIT_WEBHOOK: high,
  RATE_LIMIT_PLAYBACK: high,
  DEFAULT_PLAN: 'ENTERPRISE',
  GATEWAY_PORT: '0',
  IDP_PORT: '0',
  SEED: 'false',
  LOG_LEVEL: 'info',
  REAPER_INTERVAL_SECONDS: '5',
  ENCODER_PRESET: 'ultrafast',
  ENCODER_THREADS: '1',
};

/** A database that was restored: what it acknowledged between the two times is lost. */
export interface Restore {
  database: Database;
  from: number;
  to: number;
}

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Starts the local stack without sample content. Each process is a part that faults can disturb. */
export async function startSystem(directory: string) {
  // Inherited by all processes, so that those that are left over can be found.
  process.env[runVariable] = directory;
  const environment = { ...process.env, ...ownSettings, DATA_DIR: directory };
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs') });
  const parts = new Map<string, Part>();
  const control = (definition: ProcessDefinition) => {
    const { part, controlled } = createPart(definition, supervisor);
    parts.get(part.name)?.close();
    parts.set(part.name, part);
    return controlled;
  };
  mkdirSync(directory, { recursive: true });
  const disks = mountSmallDisks(directory);
  const controlling = { ...supervisor, start: (all: ProcessDefinition[]) => supervisor.start(all.map(control)) };
  const part = (name: string): Part => {
    const found = parts.get(name);
    if (!found) throw new Error(`there is no process ${name}`);
    return found;
  };
  const connections = new Map<string, Sql>();
  /** A connection to a database as the superuser. */
  const sql = (database: string): Sql => {
    const { href } = Object.assign(new URL(part('postgres').url), { pathname: `/${database}` });
    const connection =
      connections.get(database) ?? postgres(href, { max: 1, connect_timeout: 10, onnotice: () => undefined });
    connections.set(database, connection);
    return connection;
  };
  const disconnect = async () => {
    await Promise.all([...connections.values()].map((connection) => connection.end({ timeout: 5 })));
    connections.clear();
  };
  const stop = async () => {
    await disconnect();
    for (const one of parts.values()) one.thaw();
    await supervisor.stop();
    for (const one of parts.values()) one.close();
    disks?.unmount();
  };
  const start = async () => {
    const settings = loadSettings(environment);
    const context = await startStack(controlling, { settings, environment, directory, report: () => undefined });
    await controlling.start([await secondGateway(context)]);
    return context;
  };
  const context = await start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    directory,
    context,
    gateways: [part('gateway'), part('second-gateway')],
    providerUrl: context.addresses.identityProvider.url,
    parts,
    part,
    hasSmallDisks: disks !== undefined,
    storagePath: context.storagePath,
    /** The databases that faults have restored. */
    restores: [] as Restore[],
    watchdogPid: () => supervisor.watchdogPid,
    untilReady: async () => {
      for (const one of parts.values()) await one.untilReady();
    },
    sql,
    /** Closes the connections of `sql`, so that a database can be copied or replaced. */
    disconnect,
    stop,
  };
}

/** Another gateway with the same settings. */
async function secondGateway(context: StackContext): Promise<ProcessDefinition> {
  const [port = 0, adminPort = 0] = (await claimPorts(2)).ports;
  const [url, adminUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`];
  const addresses = { ...context.addresses, gateway: { port, adminPort, url, adminUrl } };
  return { ...gatewayProcess({ ...context, addresses }), name: 'second-gateway' };
}
