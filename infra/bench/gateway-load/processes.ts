import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@lms/testing/wait-for';
import { compile } from '../../local/compile.mjs';

/** Starts the processes of a measurement, and stops them together. */
export function createProcesses(directory: string) {
  const running: ChildProcess[] = [];

  async function start(name: string, command: string, args: string[], environment: Record<string, string> = {}) {
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

  return {
    start,
    /** A TypeScript file of this measurement. */
    startNode: (name: string, file: string, environment: Record<string, string>) =>
      start(name, process.execPath, ['--conditions=lms-source', '--import', 'tsx', fromHere(file)], environment),
    /** Starts the compiled gateway, as it is deployed. */
    async startGateway(name: string, environment: Record<string, string>) {
      await compile(root);
      return start(name, process.execPath, [join(root, 'gateway/dist/main.js')], environment);
    },
    /** A program of the repository, once compiled. */
    startCompiled: (name: string, file: string, environment: Record<string, string>, options: string[] = []) =>
      start(name, process.execPath, [...options, join(root, file)], environment),
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

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const fromHere = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export const untilReachable = (url: string, headers: Record<string, string> = {}) =>
  waitFor(
    () =>
      fetch(url, { headers }).then(
        ({ status }) => status < 500,
        () => false,
      ),
    { timeoutMs: 30_000, until: url },
  );

const ticksPerSecond = 100;

/** Processor time that a process has used, in seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Of a process and its children, as the postmaster and its backends. */
export async function cpuSecondsOfFamily(parentPid: number): Promise<number> {
  let sum = 0;
  for (const entry of await readdir('/proc')) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : '';
    const parent = Number(stat.split(') ')[1]?.split(' ')[1]);
    if (Number(entry) === parentPid || parent === parentPid) sum += await cpuSecondsOf(Number(entry)).catch(() => 0);
  }
  return sum;
}

/** Resident memory in MiB. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
