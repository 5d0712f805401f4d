// What the media worker adds to ffmpeg, what a segment of a playback costs beside a document of the same size, the memory of
// media and of the gateway while 50 viewers play, and uploads and downloads of a gibibyte beside bare Fastify. See README.md.
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwrap } from '@lms/client';
import { waitFor } from '@lms/testing/wait-for';
import { compare, type Headers, load, measure, type Pids, quantile, readCpuSeconds, run } from './harness/measure.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { idOf, seedContent } from './harness/seed.ts';

const filmSeconds = setting('BENCH_FILM_SECONDS', 30);
const seconds = setting('BENCH_SECONDS', 2);
const rounds = setting('BENCH_ROUNDS', 3);
const topicId = idOf('t', 0);
const ofTopic = { params: { path: { id: topicId } } };

await runBench(async (bench) => {
  const stack = await bench.startLocalStack({ SEED: 'false', MAX_VIDEO_BYTES: String(8 * 1_024 ** 3) });
  await seedContent(stack.open('content'), 2_000);
  const admin = await stack.signInAs('admin');
  await measureTranscoding(bench, stack, admin);
  await compareSegments(bench, stack, admin);
  await compareTransfers(bench, stack, admin);
});

type LocalStack = Awaited<ReturnType<Bench['startLocalStack']>>;
type Admin = Awaited<ReturnType<LocalStack['signInAs']>>;

/** In processor time, because seconds depend on what else runs: all of the worker's, and what the tools took that it ran. */
async function measureTranscoding({ data, check }: Bench, { pidsOf }: LocalStack, { client }: Admin) {
  const path = join(data, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${filmSeconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${filmSeconds}`];
  const options = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await run('ffmpeg', ['-nostdin', '-v', 'error', ...picture, ...sound, ...options, path]);
  const file = new File([await readFile(path)], 'film.mp4');
  const { mediaWorker: worker = 0 } = pidsOf('mediaWorker');
  async function processFilm() {
    await unwrap(client.uploadVideo({ topicId, file }));
    await waitFor(async () => {
      const { status, error } = await unwrap(client.GET('/api/education/topics/{id}/video/processing', ofTopic));
      if (status === 'failed') throw new Error(JSON.stringify(error));
      return status === 'ready';
    });
  }
  const readToolSeconds = () => readCpuSeconds(worker, '$15 + $16');
  async function film() {
    const before = await readToolSeconds();
    const measured = await measure({ worker }, processFilm);
    return {
      ...measured,
      'ffmpeg / all': ((await readToolSeconds()) - before) / (measured['CPU s, worker'] ?? Number.NaN),
    };
  }
  const { values } = await compare({ film }, rounds);
  check('processor time of ffmpeg / of the worker', quantile(values('film', 'ffmpeg / all')), { atLeast: 0.9 });
}

async function compareSegments({ check }: Bench, { gateway, pidsOf }: LocalStack, { client, headers }: Admin) {
  /** The segments of the film, for one viewer. */
  async function openPlayback() {
    const { hls } = await unwrap(client.POST('/api/education/topics/{id}/video/playback', ofTopic));
    const playlist = new URL('240/playlist.m3u8', hls ?? '');
    const lines = (await (await fetch(playlist)).text()).split('\n').filter((line) => line.endsWith('.m4s'));
    return lines.map((line) => ({ path: new URL(line, playlist).pathname }));
  }
  const playbacks = await Promise.all(Array.from({ length: 50 }, openPlayback));
  const [segment = { path: '' }] = playbacks.flat();
  const { byteLength } = await (await fetch(gateway + segment.path)).arrayBuffer();
  const file = new File(['%PDF-1.7\n'.padEnd(byteLength, 'lms')], 'a.pdf');
  const { key } = await unwrap(client.uploadDocument({ topicId, file }));
  const document = { path: `/api/s3/document/stream?key=${encodeURIComponent(key)}`, headers };
  const pids = pidsOf('gateway', 'media');
  const ofLoad = { url: gateway, connections: 16, seconds, pids };
  const play = () => load({ ...ofLoad, connections: playbacks.length, requests: playbacks.flat() });
  const { ratio, values } = await compare(
    {
      documents: () => load({ ...ofLoad, requests: [document] }),
      segments: () => load({ ...ofLoad, requests: [segment] }),
      '50 viewers': () => measure(pids, play),
    },
    rounds,
  );
  check(`segments / documents of ${byteLength} bytes`, ratio('segments', 'documents', 'requests/s'), { atLeast: 0.7 });
  for (const name of Object.keys(pids)) {
    const [first = 0, ...later] = values('50 viewers', `MiB, ${name}`);
    check(`growth of ${name} with 50 viewers, MiB`, (later.at(-1) ?? first) - first, { atMost: 32 });
  }
}

/** Files are sent and received by curl. */
async function compareTransfers({ data, startBare, check }: Bench, stack: LocalStack, { headers }: Admin) {
  const { pidsOf, passportOf, urlOf, gateway } = stack;
  // The worker would process the uploads.
  for (const pid of Object.values(pidsOf('mediaWorker'))) process.kill(pid, 'SIGSTOP');
  const file = join(data, 'zeros.mp4');
  await writeFile(file, '\0\0\0\x18ftypisom\0\0\0\0isomavc1');
  await truncate(file, setting('BENCH_MIB', 1_024) * 1_024 ** 2);
  const bare = await startBare('bare', { FILE: join(data, 'bare.mp4') });
  const transfer = (url: string, headers: Headers, options: string[]) =>
    run('curl', [
      ...['--silent', '--show-error', '--fail', '--output', '/dev/null', url, ...options],
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ]);
  const upload = ['--request', 'PUT', '--form', `video=@${file}`];
  const through = (name: string, url: string, pids: Pids, headers: () => Headers) => ({
    [`in, ${name}`]: () =>
      measure(pids, () => transfer(`${url}/api/admin/education/topics/${topicId}/video`, headers(), upload)),
    [`out, ${name}`]: () =>
      measure(pids, () => transfer(`${url}/api/education/topics/${topicId}/video`, headers(), [])),
  });
  const { ratio } = await compare(
    {
      ...through('bare', bare.url, { bare: bare.pid }, () => ({})),
      // Passports are valid for a minute, so each request gets its own.
      ...through('media', urlOf('media'), pidsOf('media'), () => passportOf('ADMIN', idOf('a', 0))),
      ...through('gateway and media', gateway, pidsOf('gateway', 'media'), () => headers),
    },
    rounds,
  );
  for (const way of ['in', 'out']) {
    check(`${way}, media, of bare`, ratio(`${way}, bare`, `${way}, media`, 'seconds'), { atLeast: 0.85 });
    const both = ratio(`${way}, bare`, `${way}, gateway and media`, 'seconds');
    check(`${way}, gateway and media, of bare`, both, { atLeast: 0.6 });
  }
}
