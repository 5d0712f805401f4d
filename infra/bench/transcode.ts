// Measures what the media worker needs for a film, compared to the same ffmpeg command by hand: in seconds, which depend on
// other load, and in processor time of all processes, which decides. See README.md.
// [BENCH_SECONDS=8] [BENCH_ROUNDS=1]
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { createId } from '@paralleldrive/cuid2';
import { root } from 'local/processes/node-process';
import type { Sql } from 'postgres';
import { compile } from '../local/compile.mjs';
import { untilReachable } from './harness/processes.ts';
import { printTable } from './harness/results.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { usedBy } from './harness/usage.ts';

const run = promisify(execFile);
await runBench(async (bench) => {
  const { directory, check } = bench;
  const film = join(directory, 'film.mp4');
  const seconds = setting('BENCH_SECONDS', 8);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const options = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await run('ffmpeg', ['-nostdin', '-v', 'error', ...picture, ...sound, ...options, film]);

  const recorder = await recordArguments(directory);
  const { sql, storagePath, pid } = await startWorker(bench, recorder.path);
  const rows: string[][] = [];
  for (let round = 1; round <= setting('BENCH_ROUNDS', 1); round += 1) {
    const byWorker = await measure(pid, () => processByWorker(sql, storagePath, film));
    const args = await recorder.read();
    const byHand = await measure(process.pid, () => processByHand(directory, film, args));
    const ratio = byHand.used / byWorker.used;
    rows.push(['ffmpeg by hand', byHand.seconds.toFixed(2), byHand.used.toFixed(2), '1.00']);
    rows.push(['worker', byWorker.seconds.toFixed(2), byWorker.used.toFixed(2), ratio.toFixed(2)]);
    check('processor time by hand / of the worker', ratio, { atLeast: 0.9 });
  }
  printTable(['by', 'seconds', 'processor seconds', 'of by hand'], rows);
});

async function measure(pid: number, work: () => Promise<number>) {
  const { value, used } = await usedBy({ measured: pid }, work);
  return { seconds: value, used: used.measured ?? 0 };
}

/** Puts a program named ffmpeg first in PATH, which records its arguments and becomes the real one. */
async function recordArguments(directory: string) {
  const folder = join(directory, 'bin');
  const recorded = join(directory, 'arguments');
  const { stdout } = await run('which', ['ffmpeg']);
  await mkdir(folder);
  const script = `#!/bin/sh\n[ $# -lt 20 ] || printf '%s\\n' "$@" >'${recorded}'\nexec '${stdout.trim()}' "$@"\n`;
  await writeFile(join(folder, 'ffmpeg'), script, { mode: 0o755 });
  return {
    path: `${folder}:${process.env.PATH}`,
    read: async () => (await readFile(recorded, 'utf8')).trimEnd().split('\n'),
  };
}

async function startWorker({ directory, openPostgres, start }: Bench, path: string) {
  const { url: databaseUrl, sql } = await (await openPostgres()).createDatabase('transcode', 'media');
  const [storagePath, adminPort] = [join(directory, 'storage'), await freePort()];
  await compile(root);
  const { pid = 0 } = await start('worker', process.execPath, [join(root, 'services/media/dist/worker-main.js')], {
    PATH: path,
    ADMIN_PORT: String(adminPort),
    DATABASE_URL: databaseUrl,
    STORAGE_PATH: storagePath,
    WORK_PATH: join(directory, 'work'),
    LOG_LEVEL: 'warn',
  });
  await untilReachable(`http://127.0.0.1:${adminPort}/readyz`);
  return { sql, storagePath, pid };
}

/** The seconds from the claim of the job to its end, as the database has recorded them. */
async function processByWorker(sql: Sql, storagePath: string, film: string): Promise<number> {
  const bytes = await readFile(film);
  const [id, key] = [createId(), `video-${createHash('sha1').update(createId()).digest('hex')}`];
  await mkdir(join(storagePath, key.slice(-2)), { recursive: true });
  await writeFile(join(storagePath, key.slice(-2), key), bytes);
  await sql`insert into objects (id, kind, status, topic_id, key, file_name, mime_type, size, checksum, uploaded_by)
    values (${id}, 'video', 'ready', ${createId()}, ${key}, 'film.mp4', 'video/mp4', ${bytes.length}, 'none', 'bench')`;
  await sql`insert into video_processing (video_id) values (${id})`;
  const ended = await waitFor(
    async () => {
      const [job] = await sql<{ status: string; error: string | null; seconds: number }[]>`
        select status, error, extract(epoch from finished_at - started_at)::float as seconds
        from video_processing where video_id = ${id}`;
      if (job?.status === 'failed') throw new Error(job.error ?? 'failed');
      return job?.status === 'ready' ? job : undefined;
    },
    { timeoutMs: 600_000, until: 'the end of the job' },
  );
  return ended.seconds;
}

/** With the priority that the worker gives it, so that other load on the machine affects both. */
async function processByHand(directory: string, film: string, args: string[]): Promise<number> {
  const folder = join(directory, createId());
  await mkdir(folder);
  await copyFile(film, join(folder, 'source'));
  const startedAt = performance.now();
  await run('nice', ['-n', '5', 'ffmpeg', ...args], { cwd: folder, maxBuffer: 64 * 1_024 * 1_024 });
  return (performance.now() - startedAt) / 1_000;
}
