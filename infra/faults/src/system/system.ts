import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openServerProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { claimPorts } from 'local/free-ports';
import type { ProcessDefinition } from 'local/process';
import { signalProcess } from 'local/process';
import { gatewayProcess } from 'local/processes/service-processes';
import { loadSettings } from 'local/settings';
import { startStack } from 'local/start-stack';
import { createSupervisor } from 'local/supervisor';
import postgres from 'postgres';
import { mountSmallDisks, processesOf, runVariable, treesOf, unmountDisks } from './machine.ts';

// All users of the workload send from one address, and only one of them is to have a quota.
const limits = ['GENERAL', 'AUTH', 'UPLOAD', 'WEBHOOK', 'PLAYBACK'].map((name) => [`RATE_LIMIT_${name}`, '100000000']);
const ownSettings = {
  ...Object.fromEntries(limits),
  DEFAULT_PLAN: 'ENTERPRISE',
  GATEWAY_PORT: '0',
  IDP_PORT: '0',
  SEED: 'false',
  LOG_LEVEL: 'info',
  REAPER_INTERVAL_SECONDS: '5',
  ENCODER_PRESET: 'ultrafast',
  ENCODER_THREADS: '1',
};
/** The connections of a process that go through proxies. */
const proxied = ['DATABASE_URL', 'NATS_URL', 'REDIS_URL'];

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Starts the local stack without sample content, with a second gateway. Faults can disturb each process. */
export async function startSystem(directory: string) {
  // Inherited by all processes, so that those that are left over can be found.
  process.env[runVariable] = directory;
  const environment = { ...process.env, ...ownSettings, DATA_DIR: directory };
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs') });
  const hasSmallDisks = mountSmallDisks(directory);
  /** The databases that faults have restored. What they acknowledged between the two times is lost. */
  const restores: { database: string; since: number; until: number }[] = [];
  const proxies: (Awaited<ReturnType<typeof openServerProxy>> & { name: string })[] = [];
  /** What a process waits for before it starts: additions to its environment. */
  const gates = new Map<string, Promise<Record<string, string>>>();

  /** Lets the supervisor start a process when and as the faults say. */
  const control = (definition: ProcessDefinition): ProcessDefinition => ({
    ...definition,
    async command() {
      const { name } = definition;
      const additions = await gates.get(name);
      const command = await definition.command();
      const env: NodeJS.ProcessEnv = { ...(command.env ?? process.env), ...additions };
      for (const variable of proxied) {
        const target = env[variable];
        if (!target) continue;
        const proxy = await openServerProxy(target);
        proxies.push({ name, ...proxy });
        env[variable] = proxy.url;
      }
      return { ...command, env };
    },
  });
  const start = (definitions: ProcessDefinition[]) => supervisor.start(definitions.map(control));

  function find(name: string) {
    const found = supervisor.processes.find(({ definition }) => definition.name === name);
    if (!found) throw new Error(`there is no process ${name}`);
    return found;
  }
  const urlOf = (name: string) => find(name).definition.url;

  /** Resolves when a process is ready; without a name, all. */
  async function untilReady(name?: string) {
    for (const { definition, pid } of supervisor.processes) {
      if (name && name !== definition.name) continue;
      const isRunning = () => pid() !== null;
      const isReady = () => definition.probe().then(isRunning, () => false);
      await waitFor(isReady, { until: `${definition.name} to be ready` });
    }
  }

  /** Kills a process. The supervisor starts it again. */
  async function kill(name: string) {
    const { pid } = find(name);
    const before = pid();
    signalProcess(before ?? undefined, 'SIGKILL');
    await waitFor(() => pid() === null || pid() !== before);
  }

  let sql: postgres.Sql | undefined;
  async function stop() {
    await sql?.end({ timeout: 5 });
    await supervisor.stop();
    for (const { close } of proxies) close();
    unmountDisks(directory);
  }
  /** Stops everything because of an error. */
  async function abort(error: unknown): Promise<never> {
    await stop();
    throw error;
  }

  const options = { settings: loadSettings(environment), environment, directory, report: () => undefined };
  const context = await startStack({ ...supervisor, start }, options).catch(abort);
  sql = postgres(context.postgresUrl, { max: 1, onnotice: () => undefined });
  // Another gateway with the same settings.
  const [port = 0, adminPort = 0] = (await claimPorts(2)).ports;
  const [url, adminUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`];
  const addresses = { ...context.addresses, gateway: { port, adminPort, url, adminUrl } };
  await start([{ ...gatewayProcess({ ...context, addresses }), name: 'second-gateway' }]).catch(abort);

  return {
    directory,
    hasSmallDisks,
    context,
    gateways: ['gateway', 'second-gateway'].map((name) => ({ name, url: urlOf(name) })),
    urlOf,
    sql,
    untilReady,
    kill,
    abort,
    stop,
    restores,
    async freeze(name: string, durationMs: number) {
      const pids = treesOf([find(name).pid()], processesOf(directory));
      for (const pid of pids) signalProcess(pid, 'SIGSTOP');
      await pause(durationMs);
      for (const pid of pids) signalProcess(pid, 'SIGCONT');
    },
    resetConnections(name: string) {
      for (const proxy of proxies) if (proxy.name === name) proxy.reset();
    },
    /** Kills processes, and lets the supervisor start them again after some work, with these additions to their environment. */
    async whileStopped(names: string[], work: () => Promise<unknown>, additions: Record<string, string> = {}) {
      let open = () => {};
      const gate = new Promise<Record<string, string>>((resolve) => {
        open = () => resolve(additions);
      });
      for (const name of names) {
        gates.set(name, gate);
        await kill(name);
      }
      await work();
      open();
      for (const name of names) await untilReady(name);
    },
    /** The processes that belong to no supervised one. */
    findLeftOver() {
      const all = processesOf(directory);
      const expected = treesOf([supervisor.watchdogPid, ...supervisor.processes.map(({ pid }) => pid())], all);
      return all.filter(({ pid }) => !expected.includes(pid));
    },
  };
}
