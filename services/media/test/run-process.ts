import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import type { Test } from 'tap';

/** Runs a program of this workspace as a process, which can end and be started again. */
export async function createProcess(t: Test, program: 'main' | 'worker-main', probe: string, settings: object) {
  const file = fileURLToPath(new URL(`../dist/${program}.js`, import.meta.url));
  const adminPort = await freePort();
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  let running: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals) {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }
  t.teardown(() => end('SIGKILL'));

  return {
    adminUrl,
    /** Sends a signal, and returns the exit code. */
    end,
    async start(more: NodeJS.ProcessEnv = {}) {
      const env = { PATH: process.env.PATH, ADMIN_PORT: String(adminPort), ...settings, ...more };
      running = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'inherit'], env });
      const isUp = async () => (await fetch(`${adminUrl}/${probe}`).catch(() => undefined))?.ok;
      await waitFor(isUp, { timeoutMs: 60_000, until: `${probe} of ${program}` });
    },
  };
}
