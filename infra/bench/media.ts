// What the media worker adds to ffmpeg, what a segment of a playback costs beside a document of the same size, the memory of
// media and of the gateway while 50 viewers play, and uploads and downloads of a gibibyte beside bare Fastify. See README.md.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { unwrap } from '@lms/client';
import { waitFor } from '@lms/testing/wait-for';
import { Agent, request } from 'undici';
import { load, measure, type Pids } from './harness/measure.ts';
import { type Bench, compare, runBench, setting } from './harness/run-bench.ts';
import { idOf, seedContent } from './harness/seed.ts';

const bytes = setting('BENCH_MIB', 1_024) * 1_024 * 1_024;
const filmSeconds = setting('BENCH_FILM_SECONDS', 30);
const rounds = setting('BENCH_ROUNDS', 3);
const topicId = idOf('t', 0);
const ofTopic = { params: { path: { id: topicId } } };
const run = promisify(execFile);
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
type Headers = Record<string, string>;

await runBench(async (bench) => {
  const stack = await bench.startLocalStack({ SEED: 'false', MAX_VIDEO_BYTES: String(8 * 1_024 ** 3) });
  await seedContent(stack.open('content').sql, 2_000);
  const signedIn = await stack.signInAdmin();
  const system = { ...stack, ...signedIn, bearer: { authorization: `Bearer ${signedIn.token}` } };
  await compareTranscoding(bench, system);
  await compareSegments(bench, system);
  await compareTransfers(bench, system);
});

type LocalStack = Awaited<ReturnType<Bench['startLocalStack']>>;
type System = LocalStack & Awaited<ReturnType<LocalStack['signInAdmin']>> & { bearer: Headers };

/** In processor time, because seconds depend on what else runs. */
async function compareTranscoding({ directory, check }: Bench, { admin, pidsOf }: System) {
  const film = join(directory, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${filmSeconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${filmSeconds}`];
  const options = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await run('ffmpeg', ['-nostdin', '-v', 'error', ...picture, ...sound, ...options, film]);
  const { 'media-worker': worker = 0 } = pidsOf('media-worker');
  let command: string[] = [];

  async function processByWorker() {
    await unwrap(admin.uploadVideo({ topicId, file: new File([await readFile(film)], 'film.mp4') }));
    await waitFor(async () => {
      const { stdout: child } = await run('pgrep', ['-x', '-P', String(worker), 'ffmpeg']).catch(() => ({
        stdout: '',
      }));
      const read = child && (await readFile(`/proc/${child.trim()}/cmdline`, 'utf8').catch(() => ''));
      if (read) command = read.split('\0').slice(0, -1);
      const { status, error } = await unwrap(admin.GET('/api/education/topics/{id}/video/processing', ofTopic));
      if (status === 'failed') throw new Error(JSON.stringify(error));
      return status === 'ready';
    });
  }
  /** With the priority that the worker gives it, so that other load on the machine affects both. */
  async function processByHand() {
    const cwd = await mkdtemp(join(directory, 'by-hand-'));
    await copyFile(film, join(cwd, 'source'));
    await run('nice', ['-n', '5', ...command], { cwd, maxBuffer: 2 ** 26 });
  }
  const { ratio } = await compare(
    {
      'film, worker': () => measure({ all: worker }, processByWorker),
      'film, ffmpeg by hand': () => measure({ all: process.pid }, processByHand),
    },
    rounds,
  );
  const ofByHand = ratio('film, ffmpeg by hand', 'film, worker', 'CPU s, all');
  check('processor time by hand / of the worker', ofByHand, { atLeast: 0.9 });
}

async function compareSegments({ check }: Bench, { admin, bearer, gateway, pidsOf }: System) {
  /** The addresses of all segments, for one viewer. */
  async function openPlayback(): Promise<string[]> {
    const { hls } = await unwrap(admin.POST('/api/education/topics/{id}/video/playback', ofTopic));
    const playlist = new URL('240/playlist.m3u8', hls ?? '');
    const lines = (await (await fetch(playlist)).text()).split('\n');
    return lines.filter((line) => line.endsWith('.m4s')).map((line) => new URL(line, playlist).href);
  }
  const [segment = ''] = await openPlayback();
  const size = await download(segment);
  const file = new File(['%PDF-1.7\n'.padEnd(size, 'lms')], 'a.pdf');
  const { key } = await unwrap(admin.uploadDocument({ topicId, file }));
  const document = { path: `/api/s3/document/stream?key=${encodeURIComponent(key)}`, headers: bearer };
  const pids = pidsOf('gateway', 'media');
  const ofLoad = { url: gateway, connections: 16, seconds: setting('BENCH_SECONDS', 2), pids };
  const playbacks = await Promise.all(Array.from({ length: 50 }, openPlayback));
  const view = async (urls: string[]) => {
    for (let time = 0; time < 8; time += 1) for (const url of urls) await download(url);
  };
  const { ratio, values } = await compare(
    {
      documents: () => load({ ...ofLoad, requests: [document] }),
      segments: () => load({ ...ofLoad, requests: [{ path: new URL(segment).pathname }] }),
      '50 viewers': () => measure(pids, () => Promise.all(playbacks.map(view))),
    },
    rounds,
  );
  check(`segments / documents of ${size} bytes`, ratio('segments', 'documents', 'requests/s'), { atLeast: 0.7 });
  for (const name of Object.keys(pids)) {
    const [first = 0, ...later] = values('50 viewers', `MiB, ${name}`) ?? [];
    check(`growth of ${name} with 50 viewers, MiB`, (later.at(-1) ?? first) - first, { atMost: 32 });
  }
}

async function compareTransfers({ data, startScript, check }: Bench, system: System) {
  const { pidsOf, passportOf, addresses, bearer, gateway } = system;
  // The worker would process the uploads.
  for (const pid of Object.values(pidsOf('media-worker'))) process.kill(pid, 'SIGSTOP');
  const bare = await startScript('bare', 'servers/bare.ts', { FILE: join(data, 'video') });
  const through = (name: string, url: string, pids: Pids, headers: () => Headers) => ({
    [`in, ${name}`]: () => measure(pids, () => upload(`${url}/api/admin/education/topics/${topicId}/video`, headers())),
    [`out, ${name}`]: () => measure(pids, () => download(`${url}/api/education/topics/${topicId}/video`, headers())),
  });
  const { ratio } = await compare(
    {
      ...through('bare', bare.url, { bare: bare.pid }, () => ({})),
      // Passports are valid for a minute, so each request gets its own.
      ...through('media', addresses.media.url, pidsOf('media'), () => passportOf('ADMIN', idOf('a', 0))),
      ...through('gateway and media', gateway, pidsOf('gateway', 'media'), () => bearer),
    },
    rounds,
  );
  for (const way of ['in', 'out']) {
    check(`${way}, media, of bare`, ratio(`${way}, bare`, `${way}, media`, 'seconds'), { atLeast: 0.85 });
    const both = ratio(`${way}, bare`, `${way}, gateway and media`, 'seconds');
    check(`${way}, gateway and media, of bare`, both, { atLeast: 0.6 });
  }
}

/** Sends a form with a video. */
async function upload(url: string, headers: Headers) {
  const boundary = 'bench-boundary';
  const field = 'Content-Disposition: form-data; name="video"; filename="a.mp4"';
  const signature = '\0\0\0\x18ftypisom\0\0\0\0isomavc1';
  const head = Buffer.from(`--${boundary}\r\n${field}\r\n\r\n${signature}`, 'latin1');
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const block = Buffer.alloc(1_024 * 1_024, 'lms');
  function* form() {
    yield head;
    for (let left = bytes; left > 0; left -= block.length) yield block;
    yield tail;
  }
  const { statusCode, body } = await request(url, {
    ...{ method: 'PUT', dispatcher, body: Readable.from(form()) },
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode} ${text}`);
}

/** Returns the number of bytes. */
async function download(url: string, headers: Headers = {}): Promise<number> {
  const { statusCode, body } = await request(url, { dispatcher, headers });
  let received = 0;
  for await (const chunk of body) received += chunk.length;
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}`);
  return received;
}
