import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openServerProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { claimPorts } from 'local/free-ports';
import { type ProcessDefinition, signalProcess } from 'local/process';
import { loadSettings } from 'local/settings';
import { gatewayProcess, startStack } from 'local/start-stack';
import { createSupervisor } from 'local/supervisor';
import postgres from 'postgres';
import { mountSmallDisks, processesOf, runVariable } from './machine.ts';

const unlimited = '100000000';
const ownSettings = {
  // All users of the workload send from one address, and only one of them is to have a quota.
  RATE_LIMIT_GENERAL: unlimited,
  RATE_LIMIT_AUTH: unlimited,
  RATE_LIMIT_UPLOAD: unlimited,
  DEFAULT_PLAN: 'ENTERPRISE',
  BOOTSTRAP_ADMIN_EMAILS: 'admin@workload.test,other-admin@workload.test',
  GATEWAY_PORT: '0',
  IDP_PORT: '0',
  SEED: 'false',
  REAPER_INTERVAL_SECONDS: '5',
  ENCODER_PRESET: 'ultrafast',
  ENCODER_THREADS: '1',
};

export type System = Awaited<ReturnType<typeof startSystem>>;

/**
 * Starts the local stack without sample content, with a second gateway. Faults can disturb each process, and reset the connections
 * of those with proxies.
 */
export async function startSystem(directory: string, proxied: readonly string[]) {
  const { hasSmallDisks, unmountDisks } = mountSmallDisks(directory);
  // Inherited by all processes of the system, so that those that are left over can be found.
  process.env[runVariable] = directory;
  const environment = { ...process.env, ...ownSettings, DATA_DIR: directory };
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs') });
  /** The databases that faults have restored. What they acknowledged between the two times is lost. */
  const restores: { database: string; since: number; until: number }[] = [];
  const proxies: (Awaited<ReturnType<typeof openServerProxy>> & { name: string })[] = [];
  /** What a process waits for before it starts: additions to its environment. */
  const gates = new Map<string, Promise<Record<string, string>>>();

  /** Lets the supervisor start a process when the faults say, with proxies before its servers. */
  const control = (definition: ProcessDefinition): ProcessDefinition => ({
    ...definition,
    async command() {
      const { name } = definition;
      const additions = await gates.get(name);
      const command = await definition.command();
      const env: NodeJS.ProcessEnv = { ...(command.env ?? process.env), ...additions };
      for (const variable of ['DATABASE_URL', 'NATS_URL', 'REDIS_URL']) {
        const target = env[variable];
        if (!target || !proxied.includes(name)) continue;
        const proxy = await openServerProxy(target);
        proxies.push({ name, ...proxy });
        env[variable] = proxy.url;
      }
      return { ...command, env };
    },
  });
  const start = (definitions: ProcessDefinition[]) => supervisor.start(definitions.map(control));
  const pidOf = (name: string) =>
    supervisor.processes.find(({ definition }) => definition.name === name)?.pid() ?? undefined;

  /** Resolves when these processes are ready; by default, all. */
  async function untilReady(names?: string[]) {
    for (const { definition, pid } of supervisor.processes) {
      if (names && !names.includes(definition.name)) continue;
      const isRunning = () => pid() !== null;
      const isReady = () => definition.probe().then(isRunning, () => false);
      await waitFor(isReady, { until: `${definition.name} to be ready` });
    }
  }

  /** Kills a process. The supervisor starts it again. */
  async function kill(name: string) {
    const pid = pidOf(name);
    signalProcess(pid, 'SIGKILL');
    await waitFor(() => !pid || pidOf(name) !== pid);
  }

  const options = { settings: loadSettings(environment), environment, directory, report: () => undefined };
  const context = await startStack({ ...supervisor, start }, options);
  const [port = 0, adminPort = 0] = (await claimPorts(2)).ports;
  const second = { port, adminPort, url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` };
  const addresses = { ...context.addresses, gateway: second };
  await start([{ ...gatewayProcess({ ...context, addresses }), name: 'second-gateway' }]);
  const gateways = { gateway: context.addresses.gateway.url, 'second-gateway': second.url };
  const sql = postgres(context.postgresUrl, { max: 1, onnotice: () => undefined });

  return {
    ...{ ...context, gateways, hasSmallDisks, proxied, sql, restores, untilReady, kill },
    async stop() {
      await sql.end({ timeout: 5 });
      await supervisor.stop();
      for (const { close } of proxies) close();
      await unmountDisks();
    },
    /** Also the children of the process, such as those of PostgreSQL. */
    async freeze(name: string, durationMs: number) {
      const frozen = pidOf(name);
      const pids = processesOf(directory).flatMap(({ pid, parent }) =>
        pid === frozen || parent === frozen ? pid : [],
      );
      for (const pid of pids) signalProcess(pid, 'SIGSTOP');
      await pause(durationMs);
      for (const pid of pids) signalProcess(pid, 'SIGCONT');
    },
    resetConnections(name: string) {
      for (const proxy of proxies) if (proxy.name === name) proxy.reset();
    },
    /** Kills processes, and lets the supervisor start them again after some work, with these additions to their environment. */
    async whileStopped(names: string[], work: () => Promise<unknown>, additions: Record<string, string> = {}) {
      const stopped = (async () => {
        for (const name of names) await kill(name);
        await work();
        return additions;
      })();
      for (const name of names) gates.set(name, stopped);
      await stopped;
      await untilReady(names);
    },
    /** The processes that are neither supervised nor children of others. */
    findLeftOver() {
      const expected = [supervisor.watchdogPid, ...supervisor.processes.map(({ pid }) => pid())];
      const all = processesOf(directory);
      const hasParent = ({ parent }: (typeof all)[number]) => all.some(({ pid }) => pid === parent);
      return all.filter((one) => !expected.includes(one.pid) && !hasParent(one));
    },
  };
}
