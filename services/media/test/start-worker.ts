import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import type { Test } from 'tap';
import type { Media } from './start-media.ts';

const main = fileURLToPath(new URL('../dist/worker-main.js', import.meta.url));

/** Runs the media worker as a process on the database and the storage folder of a media service. */
export async function startWorker(t: Test, media: Media, settings: NodeJS.ProcessEnv = {}) {
  const workPath = await mkdtemp(join(tmpdir(), 'lms-work-'));
  t.teardown(() => rm(workPath, { recursive: true, force: true }));
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

  const worker = {
    adminUrl,
    workPath,
    end,
    /** The folders of running jobs. */
    folders: () => readdir(workPath),
    async start(more: NodeJS.ProcessEnv = {}) {
      running = spawn(process.execPath, [main], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          PATH: process.env.PATH,
          ADMIN_PORT: String(adminPort),
          DATABASE_URL: media.database.url,
          STORAGE_PATH: media.root,
          WORK_PATH: workPath,
          ENCODER_PRESET: 'ultrafast',
          ENCODER_THREADS: '1',
          LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
          SHUTDOWN_TIMEOUT: '30',
          ...settings,
          ...more,
        },
      });
      await waitFor(async () => (await fetch(`${adminUrl}/startupz`).catch(() => undefined))?.ok, {
        timeoutMs: 60_000,
        until: 'the start of the worker',
      });
    },
  };
  await worker.start();
  return worker;
}
