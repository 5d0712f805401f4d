// Measures the segments of a playback beside downloads of documents of the same size, through the gateway, and the memory
// of media and of the gateway while 50 viewers play. Needs wrk.
// [BENCH_KIB=256] [BENCH_ROUNDS=3] [BENCH_SECONDS=2] [BENCH_SEGMENTS=40]
import { setTimeout as sleep } from 'node:timers/promises';
import { createId } from '@paralleldrive/cuid2';
import { compareLoads, type Measured } from './harness/loads.ts';
import { medianRatio, printTable } from './harness/results.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { residentMiB } from './harness/usage.ts';
import { type System, startSystem, upload } from './media-throughput/system.ts';

const bytes = setting('BENCH_KIB', 256) * 1_024;
const segments = setting('BENCH_SEGMENTS', 40);
const viewers = 50;

await runBench(async (bench) => {
  const system = await startSystem(bench);
  const documentUrl = await addDocument(system);
  await addRendition(system);
  await comparePerSecond(system, documentUrl, bench);
  await watchMemory(system, bench);
});

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
async function addRendition({ viaGateway, sql }: System) {
  await upload(viaGateway, (segments + 1) * bytes);
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

async function comparePerSecond(system: System, documentUrl: string, { check }: Bench) {
  const { media, gateway } = system.pids;
  const pids = { media, gateway };
  const ways = [
    { name: `documents of ${bytes / 1_024} KiB`, url: documentUrl, headers: system.bearer, pids },
    { name: 'segments', url: `${await openPlayback(system)}240/${Math.floor(segments / 2)}.m4s`, pids },
  ];
  const [documents, played] = await compareLoads(ways, setting('BENCH_ROUNDS', 3), 16, setting('BENCH_SECONDS', 2));
  // Those that failed do not count.
  const served = ({ requestsPerSecond, requests, failed }: Measured) => requestsPerSecond * (1 - failed / requests);
  check('segments / documents', medianRatio(played, documents, served), { atLeast: 0.7 });
}

/** Each viewer plays the whole film, with a playback of its own. */
async function watchMemory(system: System, { check }: Bench) {
  const { media, gateway } = system.pids;
  const read = async (url: string) => (await (await send(url)).arrayBuffer()).byteLength;
  const folders: string[] = [];
  while (folders.length < viewers) folders.push(await openPlayback(system));
  async function view(folder: string) {
    for (const file of ['master.m3u8', '240/playlist.m3u8', '240/init.mp4']) await read(folder + file);
    for (let n = 0; n < segments; n += 1)
      if ((await read(`${folder}240/${n}.m4s`)) !== bytes) throw new Error('a segment is incomplete');
  }

  const names = ['media', 'gateway'];
  const resident = async () => Object.values(await residentMiB({ media, gateway }));
  const sizes = [await resident()];
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all(folders.map(view));
    sizes.push(await resident());
  }
  const rows = sizes.map((row, round) => [
    round === 0 ? 'at the start' : `after ${round} of 3 rounds`,
    ...row.map((size) => size.toFixed(0)),
  ]);
  printTable([`MiB resident, ${viewers} viewers`, ...names], rows);
  const [, first, , last] = sizes;
  for (const [at, name] of names.entries())
    check(`growth of ${name}, MiB`, (last?.[at] ?? 0) - (first?.[at] ?? 0), { atMost: 32 });
}
