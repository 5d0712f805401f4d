import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { compile } from '../../local/compile.mjs';

export { freePort };

export const root = fileURLToPath(new URL('../../../', import.meta.url));

type Environment = Record<string, string>;

/** Starts the processes of a measurement, and stops them together. */
export function createProcesses(directory: string) {
  const running: ChildProcess[] = [];

  async function start(name: string, command: string, args: string[], environment: Environment = {}) {
    // Directly into a file, as npm start does: reading the output here would take processor time from the measured process.
    const log = openSync(`${directory}/${name}.log`, 'a');
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    running.push(child);
    await once(child, 'spawn');
    return Number(child.pid);
  }

  /** A program of the repository, compiled as it is deployed. */
  async function startCompiled(name: string, file: string, environment: Environment, options: string[] = []) {
    await compile(root);
    return start(name, process.execPath, [...options, join(root, file)], environment);
  }

  return {
    start,
    startCompiled,
    /** Starts a TypeScript file of this folder on a free port, and waits until it responds. */
    async startNode(name: string, file: string, environment: Environment = {}) {
      const port = await freePort();
      const options = ['--conditions=lms-source', '--import', 'tsx', join(root, 'infra/bench', file)];
      const pid = await start(name, process.execPath, options, { ...environment, PORT: String(port) });
      const url = `http://127.0.0.1:${port}`;
      await untilReachable(url);
      return { url, pid };
    },
    /** Starts the gateway before one process that stands for all services, unless settings name others. */
    async startGateway(name: string, services: string, environment: Environment) {
      const port = await freePort();
      const pid = await startCompiled(name, 'gateway/dist/main.js', {
        ...{ IDENTITY_URL: services, CONTENT_URL: services, MEDIA_URL: services, ENROLLMENT_URL: services },
        ...{ IDP_ISSUER: services, IDP_JWKS_URL: `${services}/jwks`, LOG_LEVEL: 'warn' },
        PASSPORT_PRIVATE_KEY: createPassportKeys().privateKey,
        RATE_LIMIT_GENERAL: '1000000000',
        ...environment,
        PORT: String(port),
      });
      const url = `http://127.0.0.1:${port}`;
      await untilReachable(url);
      return { url, pid };
    },
    /** Ends a process and waits until it has written what it writes at its end. */
    async stop(pid: number) {
      const child = running.find((one) => one.pid === pid);
      if (!child || child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
    async end() {
      const exited = running.map((child) => child.exitCode ?? once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(exited);
    },
  };
}
export type Processes = ReturnType<typeof createProcesses>;

export const untilReachable = (url: string, headers: Environment = {}) =>
  waitFor(
    () =>
      fetch(url, { headers }).then(
        ({ status }) => status < 500,
        () => false,
      ),
    { until: url },
  );

/** Waits until a gateway has these connections, as the checks of its `/readyz` say. */
export const untilConnected = (gatewayUrl: string, ...connections: ('redis' | 'nats' | 'keys')[]) =>
  waitFor(
    async () => {
      const { checks = {} } = Object(await (await fetch(`${gatewayUrl}/readyz`)).json());
      return connections.every((name) => checks[name] === 'ok');
    },
    { until: 'the gateway' },
  );

// The fields after the program's name: state, parent, …, then from the 12th on the processor time of the process and of its
// ended children, in user and system mode, in hundredths of a second.
async function readStat(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Processor time that a process has used, in seconds, with its ended children if asked for. */
export async function cpuSecondsOf(pid: number, { withEndedChildren = false } = {}): Promise<number> {
  const fields = (await readStat(pid)).slice(11, withEndedChildren ? 15 : 13);
  return fields.reduce((sum, field) => sum + Number(field), 0) / 100;
}

/** Of a process and its children, as the postmaster and its backends. */
export async function cpuSecondsOfFamily(parentPid: number): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const seconds = pids.map(async (pid) => {
    const isOfFamily = pid === parentPid || Number((await readStat(pid))[1]) === parentPid;
    return isOfFamily ? cpuSecondsOf(pid) : 0;
  });
  // Other processes end in the meantime.
  return (await Promise.all(seconds.map((one) => one.catch(() => 0)))).reduce((sum, one) => sum + one, 0);
}

/** Resident memory in MiB. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

/** Does some work, and returns the growth of the processes' memory at its peak, and the processor time that they used. */
export async function watch<T>(pids: Record<string, number>, work: () => Promise<T>) {
  const names = Object.keys(pids);
  const each = (read: (pid: number) => Promise<number>) => Promise.all(names.map((name) => read(pids[name] ?? 0)));
  const [before, usedBefore] = await Promise.all([each(memoryOf), each((pid) => cpuSecondsOf(pid))]);
  const peak = [...before];
  const sample = async () => {
    for (const [at, resident] of (await each(memoryOf)).entries()) peak[at] = Math.max(peak[at] ?? 0, resident);
  };
  // If a process has exited, the measured work fails with a better error.
  const timer = setInterval(() => void sample().catch(() => undefined), 50);
  const value = await work().finally(() => clearInterval(timer));
  const usedAfter = await each((pid) => cpuSecondsOf(pid));
  const byName = (of: (at: number) => number) => Object.fromEntries(names.map((name, at) => [name, of(at)]));
  return {
    value,
    grown: byName((at) => (peak[at] ?? 0) - (before[at] ?? 0)),
    used: byName((at) => (usedAfter[at] ?? 0) - (usedBefore[at] ?? 0)),
  };
}
