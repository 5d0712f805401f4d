// Measures uploads and downloads of a gibibyte: bare Fastify, media alone, and gateway and media. Needs a superuser:
// BENCH_POSTGRES_URL=postgres://... [BENCH_MIB=1024] [BENCH_ROUNDS=3] [S3_ENDPOINT=... S3_BUCKET=... S3_ACCESS_KEY_ID=... S3_SECRET_ACCESS_KEY=...]
import { waitFor } from '@lms/testing/wait-for';
import { createBare } from './media-throughput/bare.ts';
import { watch } from './media-throughput/processes.ts';
import { createS3Server } from './media-throughput/s3-server.ts';
import { type System, startSystem, stopSystem } from './media-throughput/start-system.ts';
import { download, openDownload, openUpload, sendBytes, upload } from './media-throughput/transfer.ts';

const [, , role] = process.argv;
const { env } = process;
const host = '127.0.0.1';

if (role === 'sink') createS3Server().listen(Number(env.PORT), host);
else if (role === 'bare')
  await createBare({
    endpoint: env.S3_ENDPOINT ?? '',
    bucket: env.S3_BUCKET ?? '',
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  }).listen({ port: Number(env.PORT), host });
else await compare();

async function compare() {
  const bytes = Number(env.BENCH_MIB ?? 1_024) * 1024 * 1024;
  const rounds = Number(env.BENCH_ROUNDS ?? 3);
  try {
    const system = await startSystem();
    await throughput(system, bytes, rounds);
    await manyReaders(system, bytes);
    await abortedTransfers(system);
  } finally {
    await stopSystem();
  }
}

type Run = Awaited<ReturnType<typeof watch<number>>>;

async function throughput({ targets, pids }: System, bytes: number, rounds: number) {
  console.log('| direction | through | MiB/s | of bare | CPU seconds per GiB | memory growth (MiB) |');
  console.log('| --- | --- | --: | --: | --- | --- |');
  for (const [direction, transfer] of [
    ['in', upload],
    ['out', download],
  ] as const) {
    const runs = targets.map((): Run[] => []);
    // In turns, so that other load on the machine affects all of them.
    for (let round = 0; round < rounds; round += 1)
      for (const [at, { target }] of targets.entries())
        runs[at]?.push(await watch(pids, () => transfer(target, bytes)));
    const seconds = runs.map((of) => median(of.map(({ value }) => value)));
    for (const [at, { through, uses, atLeast }] of targets.entries()) {
      const of = runs[at] ?? [];
      const taken = seconds[at] ?? Number.NaN;
      const each = (format: (name: string) => string) => uses.map((name) => `${name} ${format(name)}`).join(', ');
      const gibibytes = bytes / 1024 ** 3;
      const used = each((name) => (median(of.map((run) => run.used[name] ?? 0)) / gibibytes).toFixed(1));
      const grown = each((name) => Math.max(...of.map((run) => run.grown[name] ?? 0)).toFixed(0));
      if ((seconds[0] ?? 0) / taken < atLeast) process.exitCode = 1;
      const speed = ((gibibytes * 1024) / taken).toFixed(0);
      console.log(
        `| ${direction} | ${through} | ${speed} | ${((seconds[0] ?? 0) / taken).toFixed(2)} | ${used} | ${grown} |`,
      );
    }
  }
}

/** Fifty concurrent readers of ranges, of a small object and of a large one. */
async function manyReaders({ targets, pids }: System, bytes: number) {
  const gateway = targets.at(-1)?.target;
  if (!gateway) throw new Error('no gateway');
  const part = 1024 * 1024;
  for (const size of [16 * part, bytes]) {
    await upload(gateway, size);
    const reader = async (_: unknown, number: number) => {
      for (let round = 0; round < 10; round += 1) {
        const start = ((number * 7_919 + round * 104_729) % Math.max(1, size / part - 1)) * part;
        await download(gateway, part, `bytes=${start}-${start + part - 1}`);
      }
    };
    const { grown } = await watch(pids, () => Promise.all(Array.from({ length: 50 }, reader)));
    const growths = ['media', 'gateway'].map((name) => `${name} by ${grown[name]?.toFixed(0)} MiB`).join(', ');
    console.log(`\n50 readers of ranges of ${size / part} MiB: ${growths}`);
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
      Array.from({ length: 10 }, async () => {
        const sending = openUpload(target, 64 * 1024 * 1024);
        sending.on('error', () => undefined);
        await sendBytes(sending, 20 * 1024 * 1024);
        sending.destroy();
      }),
    );
    const readers = await Promise.all(Array.from({ length: 20 }, () => openDownload(target)));
    for (const reader of readers) reader.destroy();
    const isAsBefore = async () => (await state()) === before;
    await waitFor(isAsBefore, { timeoutMs: 15_000, until: `nothing left: ${await state()}` });
  }
  const { objects, open, running } = await leftovers();
  console.log(
    `\nAfter 20 aborted uploads and 40 aborted downloads: ${await media.rows()} row, ${objects} objects, ${open} open uploads, ${running} open requests in storage.`,
  );
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
