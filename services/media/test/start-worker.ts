import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createProcess } from './run-process.ts';
import type { Media } from './start-media.ts';

/** Runs the media worker as a process on the database and the storage folder of a media service. */
export async function startWorker(t: Test, media: Media, settings: NodeJS.ProcessEnv = {}) {
  const workPath = await mkdtemp(join(tmpdir(), 'lms-work-'));
  t.teardown(() => rm(workPath, { recursive: true, force: true }));
  const worker = await createProcess(t, 'worker-main', 'startupz', {
    DATABASE_URL: media.database.url,
    STORAGE_PATH: media.root,
    WORK_PATH: workPath,
    ENCODER_PRESET: 'ultrafast',
    ENCODER_THREADS: '1',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    SHUTDOWN_TIMEOUT: '30',
    ...settings,
  });
  await worker.start();
  return {
    ...worker,
    workPath,
    /** The folders of running jobs. */
    folders: () => readdir(workPath),
  };
}
