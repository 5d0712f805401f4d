// Measures uploads and downloads of a gibibyte: bare Fastify, media alone, and gateway and media. See README.md.
// [BENCH_MIB=1024] [BENCH_ROUNDS=3] [S3_ENDPOINT=... S3_BUCKET=... S3_ACCESS_KEY_ID=... S3_SECRET_ACCESS_KEY=...]
import { inTurns, median, printTable } from './harness/results.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { watch } from './harness/usage.ts';
import { download, startSystem, upload } from './media-throughput/system.ts';

const mebibytes = setting('BENCH_MIB', 1_024);
const bytes = mebibytes * 1_024 * 1_024;

await runBench(async (bench) => {
  const { targets, pids } = await startSystem(bench);
  const rows: string[][] = [];
  for (const [direction, transfer] of [
    ['in', upload],
    ['out', download],
  ] as const) {
    const runs = await inTurns(targets, setting('BENCH_ROUNDS', 3), (target) =>
      watch(pids, () => transfer(target, bytes)),
    );
    const taken = runs.map((of) => median(of, ({ seconds }) => seconds));
    for (const [at, { through, uses, atLeast }] of targets.entries()) {
      const [of = [], seconds = 0] = [runs[at], taken[at]];
      const ofBare = (taken[0] ?? 0) / seconds;
      const each = (format: (name: string) => string) => uses.map((name) => `${name} ${format(name)}`).join(', ');
      const used = each((name) => ((median(of, (one) => one.used[name] ?? 0) * 1_024) / mebibytes).toFixed(1));
      const growths = (name: string) => of.map(({ before, peak }) => (peak[name] ?? 0) - (before[name] ?? 0));
      const grown = each((name) => Math.max(...growths(name)).toFixed(0));
      rows.push([direction, through, (mebibytes / seconds).toFixed(0), ofBare.toFixed(2), used, grown]);
      if (at > 0) bench.check(`${direction}, ${through}, of bare`, ofBare, { atLeast });
    }
  }
  printTable(['', 'through', 'MiB/s', 'of bare', 'CPU seconds per GiB', 'memory growth (MiB)'], rows);
});
