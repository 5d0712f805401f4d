import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openServerProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import type { Database } from 'local/databases';
import { claimPorts } from 'local/free-ports';
import type { ProcessDefinition } from 'local/process';
import { signalProcess } from 'local/process-identity';
import { gatewayProcess, type StackContext } from 'local/processes/service-processes';
import { loadSettings } from 'local/settings';
import { startStack } from 'local/start-stack';
import { createSupervisor, type Supervisor } from 'local/supervisor';
import postgres, { type Sql } from 'postgres';
import { processesOf, runVariable, treesOf } from './processes.ts';
import { mountSmallDisks, unmountDisks } from './small-disks.ts';

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
const noEnvironment: Record<string, string> = {};
/** The connections of a process that go through a proxy. */
const proxied = ['DATABASE_URL', 'NATS_URL', 'REDIS_URL'];

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Starts the local stack without sample content. Each process is a part that faults can disturb. */
export async function startSystem(directory: string) {
  // Inherited by all processes, so that those that are left over can be found.
  process.env[runVariable] = directory;
  const environment = { ...process.env, ...ownSettings, DATA_DIR: directory };
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs') });
  const hasSmallDisks = mountSmallDisks(directory);
  const parts = new Map<string, Part>();
  const connections = new Map<string, Sql>();

  function part(name: string): Part {
    const found = parts.get(name);
    if (!found) throw new Error(`there is no process ${name}`);
    return found;
  }
  /** A connection to a database as the superuser. */
  function sql(database: Database | 'postgres'): Sql {
    const { href } = Object.assign(new URL(part('postgres').url), { pathname: `/${database}` });
    const connection = connections.get(database) ?? postgres(href, { max: 1, onnotice: () => undefined });
    connections.set(database, connection);
    return connection;
  }
  async function stop() {
    await Promise.all([...connections.values()].map((connection) => connection.end({ timeout: 5 })));
    await supervisor.stop();
    for (const one of parts.values()) one.close();
    unmountDisks(directory);
  }
  /** Stops everything because of an error. */
  async function abort(error: unknown): Promise<never> {
    await stop();
    throw error;
  }
  const start = (definitions: ProcessDefinition[]) =>
    supervisor.start(
      definitions.map((definition) => {
        const { part, controlled } = createPart(definition, { supervisor, directory });
        parts.get(part.name)?.close();
        parts.set(part.name, part);
        return controlled;
      }),
    );
  const settings = loadSettings(environment);
  const options = { settings, environment, directory, report: () => undefined };
  const context = await startStack({ ...supervisor, start }, options).catch(abort);
  await start([await secondGateway(context)]).catch(abort);

  return {
    directory,
    hasSmallDisks,
    context,
    providerUrl: context.addresses.identityProvider.url,
    gateways: [part('gateway'), part('second-gateway')] as const,
    parts,
    part,
    /** The databases that faults have restored. What they acknowledged between the two times is lost. */
    restores: [] as { database: Database; from: number; to: number }[],
    async untilReady() {
      for (const one of parts.values()) await one.untilReady();
    },
    sql,
    /** The rows of a query by their `key`, with their `value`, which is `present` by default. Those of duplicates are joined. */
    async read(database: Database, query: string): Promise<Map<string, string>> {
      const rows = new Map<string, string>();
      for (const { key, value = 'present' } of await sql(database).unsafe(query)) {
        const other = rows.get(key);
        rows.set(key, other === undefined ? String(value) : `${other} and ${value}`);
      }
      return rows;
    },
    /** The processes that belong to no supervised one. */
    findLeftOver() {
      const all = processesOf(directory);
      const roots = [supervisor.watchdogPid, ...supervisor.processes.map((one) => one.pid())];
      const expected = treesOf(roots, all);
      return all.filter(({ pid }) => !expected.includes(pid));
    },
    abort,
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

/** A process of the system, with what is needed to disturb it. */
export type Part = ReturnType<typeof createPart>['part'];

/** Wraps the definition of a process, so that the supervisor starts it when and as the part says. */
function createPart(
  definition: ProcessDefinition,
  { supervisor, directory }: { supervisor: Supervisor; directory: string },
) {
  const proxies = new Map<string, Awaited<ReturnType<typeof openServerProxy>>>();
  let gate = Promise.resolve();
  const pid = () => supervisor.processes.find((one) => one.definition === controlled)?.pid() ?? null;

  const part = {
    name: definition.name,
    url: definition.url,
    /** Added to the environment at the next start. */
    environment: noEnvironment,
    /** Kills the process. The supervisor starts it again. */
    async kill() {
      const before = pid();
      if (before === null) return;
      signalProcess(before, 'SIGKILL');
      await waitFor(() => pid() !== before);
    },
    async freeze(durationMs: number) {
      const pids = treesOf([pid()], processesOf(directory));
      for (const one of pids) signalProcess(one, 'SIGSTOP');
      await pause(durationMs);
      for (const one of pids) signalProcess(one, 'SIGCONT');
    },
    /** Kills the process, and keeps the supervisor from starting it again until the work is done. */
    async whileStopped<T>(work: () => T | Promise<T>): Promise<T> {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      await part.kill();
      const result = await work();
      open();
      await part.untilReady();
      return result;
    },
    resetConnections() {
      for (const proxy of proxies.values()) proxy.reset();
    },
    async untilReady() {
      const isReady = async () =>
        pid() !== null &&
        (await definition.probe().then(
          () => true,
          () => false,
        ));
      await waitFor(isReady, { until: `${definition.name} to be ready` });
    },
    close() {
      for (const proxy of proxies.values()) proxy.close();
    },
  };

  const controlled: ProcessDefinition = {
    ...definition,
    async command() {
      await gate;
      const command = await definition.command();
      const env: NodeJS.ProcessEnv = { ...(command.env ?? process.env), ...part.environment };
      for (const name of command.env ? proxied : []) {
        const target = env[name];
        if (!target) continue;
        const proxy = proxies.get(name) ?? (await openServerProxy(target));
        proxies.set(name, proxy);
        env[name] = proxy.url;
      }
      return { ...command, env };
    },
  };
  return { part, controlled };
}
