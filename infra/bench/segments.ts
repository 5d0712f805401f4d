// Measures the segments of a playback beside downloads of documents of the same size, through the gateway, and the memory
// of media and of the gateway while 50 viewers play. Needs wrk.
// [BENCH_KIB=256] [BENCH_ROUNDS=3] [BENCH_SECONDS=2] [BENCH_SEGMENTS=40]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createId } from '@paralleldrive/cuid2';
import { startPostgres } from 'local/embedded';
import { runWrk } from './gateway-load/wrk.ts';
import { residentMiB, watch } from './media-throughput/processes.ts';
import { type System, startSystem, stopSystem } from './media-throughput/start-system.ts';
import { upload } from './media-throughput/transfer.ts';

const { env } = process;
const bytes = Number(env.BENCH_KIB ?? 256) * 1_024;
const rounds = Number(env.BENCH_ROUNDS ?? 3);
const seconds = Number(env.BENCH_SECONDS ?? 2);
const segments = Number(env.BENCH_SEGMENTS ?? 40);
const viewers = 50;
const atLeast = 0.7;
const maxGrowthMiB = 32;

const directory = await mkdtemp(join(tmpdir(), 'segments-'));
const postgres = await startPostgres({ directory, settings: { fsync: 'off' } });
try {
  const system = await startSystem(postgres.url);
  const documentUrl = await addDocument(system);
  await addRendition(system);
  await comparePerSecond(system, documentUrl);
  await watchMemory(system);
} finally {
  await stopSystem();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

async function addDocument({ gatewayUrl, bearer, topicId }: System): Promise<string> {
  const form = new FormData();
  form.append('topicId', topicId);
  form.append('metadata', '{}');
  form.append('file', new File([Buffer.from('%PDF-1.7\n'.padEnd(bytes, 'lms'))], 'a.pdf'));
  const response = await send(`${gatewayUrl}/api/s3/document/upload`, { method: 'POST', headers: bearer, body: form });
  const { key } = JSON.parse(await response.text()).data;
  return `${gatewayUrl}/api/s3/document/stream?key=${encodeURIComponent(key)}`;
}

/** The file of the video serves as that of its rendition: what is measured does not read it. */
async function addRendition({ targets, sql }: System) {
  const gateway = targets.at(-1)?.target;
  if (!gateway) throw new Error('no gateway');
  await upload(gateway, (segments + 1) * bytes);
  const parts = Array.from({ length: segments }, (_, at) => ({
    durationSeconds: 6,
    offset: (at + 1) * bytes,
    length: bytes,
  }));
  const [video] = await sql<{ id: string }[]>`select id from objects where kind = 'video' and status = 'ready'`;
  if (!video) throw new Error('no video');
  await sql`
    insert into renditions (video_id, height, width, bandwidth, codecs, object_id, init_length, segments)
    values (${video.id}, 240, 426, 400000, 'avc1.42c01e', ${video.id}, 1000, ${JSON.stringify(parts)}::text::jsonb)`;
  await sql`update video_processing set status = 'ready', duration_seconds = ${6 * segments} where video_id = ${video.id}`;
}

/** Repeats what a busy machine has refused, as players do. */
async function send(url: string, init: RequestInit = {}): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, init);
    if (response.ok) return response;
    if (response.status < 503 || attempt === 20) throw new Error(`${url} returned ${response.status}`);
    await sleep(500);
  }
}

/** The folder of the addresses of a new playback. */
async function openPlayback({ gatewayUrl, bearer, topicId }: System): Promise<string> {
  const url = `${gatewayUrl}/api/education/topics/${topicId}/video/playback`;
  const response = await send(url, { method: 'POST', headers: { ...bearer, 'idempotency-key': createId() } });
  const { hls } = JSON.parse(await response.text()).data;
  return new URL('.', new URL(new URL(hls).pathname, gatewayUrl)).href;
}

interface Run {
  /** Without those that failed. */
  perSecond: number;
  failed: number;
  used: Record<string, number>;
}

async function comparePerSecond(system: System, documentUrl: string) {
  const ways = [
    { name: 'documents', args: [documentUrl, '-H', `authorization: ${system.bearer.authorization}`] },
    { name: 'segments', args: [`${await openPlayback(system)}240/7.m4s`] },
  ];
  const results = new Map(ways.map(({ name }) => [name, [] as Run[]]));
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, args } of ways) {
      const run = await watch(system.pids, () => runWrk('-c16', `-d${seconds}s`, '--timeout', '30s', ...args));
      const { requestsPerSecond, requests, failed } = run.value;
      const share = (requests - failed) / requests;
      const used = Object.fromEntries(Object.entries(run.used).map(([of, taken]) => [of, (taken * 1_000) / requests]));
      if (round > 0) results.get(name)?.push({ perSecond: requestsPerSecond * share, failed, used });
    }
  console.log(
    `| ${bytes / 1_024} KiB | a second | CPU ms, gateway | CPU ms, media | failed |\n| --- | --: | --: | --: | --: |`,
  );
  for (const [name, runs] of results) {
    const failed = runs.reduce((sum, run) => sum + run.failed, 0);
    const of = (value: (run: Run) => number) => median(runs.map(value));
    const used = ['gateway', 'media'].map((part) => of((run) => run.used[part] ?? 0).toFixed(2));
    console.log(`| ${name} | ${of((run) => run.perSecond).toFixed(0)} | ${used.join(' | ')} | ${failed} |`);
  }
  const [documents = [], played = []] = results.values();
  const ratio = median(played.map(({ perSecond }, at) => perSecond / (documents[at]?.perSecond ?? 0)));
  console.log(`\nsegments / documents (>= ${atLeast}): ${ratio.toFixed(2)}`);
  if (ratio < atLeast) process.exitCode = 1;
}

/** Each viewer plays the whole film, with a playback of its own. */
async function watchMemory(system: System) {
  const { media, gateway } = system.pids;
  const resident = () => Promise.all([residentMiB(media), residentMiB(gateway)]);
  const read = async (url: string) => (await (await send(url)).arrayBuffer()).byteLength;
  const folders: string[] = [];
  while (folders.length < viewers) folders.push(await openPlayback(system));
  async function view(folder: string) {
    for (const file of ['master.m3u8', '240/playlist.m3u8', '240/init.mp4']) await read(folder + file);
    for (let n = 0; n < segments; n += 1)
      if ((await read(`${folder}240/${n}.m4s`)) !== bytes) throw new Error('a segment is incomplete');
  }

  const sizes = [await resident()];
  console.log(`\n| MiB resident, ${viewers} viewers | media | gateway |\n| --- | --: | --: |`);
  for (let round = 0; round <= 3; round += 1) {
    if (round > 0) {
      await Promise.all(folders.map(view));
      sizes.push(await resident());
    }
    const row = sizes[round]?.map((size) => size.toFixed(0)).join(' | ');
    console.log(`| ${round === 0 ? 'at the start' : `after ${round} of 3 rounds`} | ${row} |`);
  }
  const [, first, , last] = sizes;
  const grown = [0, 1].map((at) => (last?.[at] ?? 0) - (first?.[at] ?? 0));
  if (Math.max(...grown) > maxGrowthMiB) process.exitCode = 1;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
