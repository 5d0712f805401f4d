// Measures uploads and downloads of a gibibyte: bare Fastify, media alone, and gateway and media. See README.md.
// [BENCH_MIB=1024] [BENCH_ROUNDS=3] [S3_ENDPOINT=... S3_BUCKET=... S3_ACCESS_KEY_ID=... S3_SECRET_ACCESS_KEY=...]
import { rejects } from 'node:assert/strict';
import { waitFor } from '@lms/testing/wait-for';
import { printTable } from './harness/report.ts';
import { inTurns, median } from './harness/rounds.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { watch } from './harness/usage.ts';
import { type System, startSystem } from './media-throughput/start-system.ts';
import { download, openDownload, upload } from './media-throughput/transfer.ts';

const mebibytes = setting('BENCH_MIB', 1_024);
const rounds = setting('BENCH_ROUNDS', 3);
const mebibyte = 1024 * 1024;
const bytes = mebibytes * mebibyte;

await runBench(async (bench) => {
  const system = await startSystem(bench);
  await throughput(system, bench);
  await manyReaders(system);
  await abortedTransfers(system);
});

async function throughput({ targets, pids }: System, { check }: Bench) {
  const rows: string[][] = [];
  for (const [direction, transfer] of [
    ['in', upload],
    ['out', download],
  ] as const) {
    const run = ({ target }: System['targets'][number]) => watch(pids, () => transfer(target, bytes));
    const runs = await inTurns(targets, rounds, run, { warmUps: 0 });
    const seconds = runs.map((of) => median(of, ({ value }) => value));
    for (const [at, { through, uses, atLeast }] of targets.entries()) {
      const of = runs[at] ?? [];
      const taken = seconds[at] ?? Number.NaN;
      const ofBare = (seconds[0] ?? 0) / taken;
      const each = (format: (name: string) => string) => uses.map((name) => `${name} ${format(name)}`).join(', ');
      const used = each((name) => ((median(of, (one) => one.used[name] ?? 0) * 1_024) / mebibytes).toFixed(1));
      const grown = each((name) => Math.max(...of.map((one) => one.grown[name] ?? 0)).toFixed(0));
      rows.push([direction, through, (mebibytes / taken).toFixed(0), ofBare.toFixed(2), used, grown]);
      if (at > 0) check(`${direction}, ${through}, of bare`, ofBare, { atLeast });
    }
  }
  printTable(['', 'through', 'MiB/s', 'of bare', 'CPU seconds per GiB', 'memory growth (MiB)'], rows);
}

/** Fifty concurrent readers of ranges, of a small object and of a large one. */
async function manyReaders({ targets, pids }: System) {
  const gateway = targets.at(-1)?.target;
  if (!gateway) throw new Error('no gateway');
  for (const size of [16 * mebibyte, bytes]) {
    await upload(gateway, size);
    const reader = async (_: unknown, number: number) => {
      for (let round = 0; round < 10; round += 1) {
        const start = ((number * 7_919 + round * 104_729) % Math.max(1, size / mebibyte - 1)) * mebibyte;
        await download(gateway, mebibyte, `bytes=${start}-${start + mebibyte - 1}`);
      }
    };
    const { grown } = await watch(pids, () => Promise.all(Array.from({ length: 50 }, reader)));
    const growths = ['media', 'gateway'].map((name) => `${name} by ${grown[name]?.toFixed(0)} MiB`).join(', ');
    console.log(`\n50 readers of ranges of ${size / mebibyte} MiB: ${growths}`);
  }
}

/** Aborts uploads and downloads halfway. */
async function abortedTransfers({ targets, media, leftovers }: System) {
  const [, direct, gateway] = targets.map(({ target }) => target);
  if (!direct || !gateway) throw new Error('no targets');
  for (const target of [direct, gateway]) {
    // Media releases the slot of an upload when its row is gone.
    const state = async () => JSON.stringify([await leftovers(), await media.rows()]);
    const before = await state();
    await Promise.all(
      Array.from({ length: 10 }, () => rejects(upload(target, 64 * mebibyte, 20 * mebibyte), /aborted/)),
    );
    const readers = await Promise.all(Array.from({ length: 20 }, () => openDownload(target)));
    for (const reader of readers) reader.on('error', () => undefined).destroy();
    const isAsBefore = async () => (await state()) === before;
    await waitFor(isAsBefore, { timeoutMs: 15_000, until: `nothing left: ${await state()}` });
  }
  const { objects, open, running } = await leftovers();
  console.log(
    `\nAfter 20 aborted uploads and 40 aborted downloads: ${await media.rows()} row, ${objects} objects, ${open} open uploads, ${running} open requests in storage.`,
  );
}
