// Imports and exports of a curriculum of ten thousand topics: seconds, processor time and the largest resident memory of
// content. See README.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@lms/database/migrate-database';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { startNats, startPostgres } from 'local/embedded';
import postgres from 'postgres';
import { compile } from '../local/compile.mjs';
import { cpuSecondsOfFamily, createProcesses, freePort, root, untilReachable } from './harness/processes.ts';
import { curriculumOf } from './imports/curriculum.ts';

const topics = Number(process.env.BENCH_TOPICS ?? 10_000);
/** As in the local stack, and as Node.js chooses it in a container of 512 MiB. */
const heap = ['--max-old-space-size=192', '--max-semi-space-size=8'];
/** As in the local stack and the images. */
const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };
const maxMiB = 150;
const maxSeconds = 60;

const directory = await mkdtemp(join(tmpdir(), 'imports-'));
const processes = createProcesses(directory);
const servers: { stop: () => Promise<void> }[] = [];
try {
  await measureAll(await prepare());
} finally {
  await processes.end();
  for (const { stop } of servers) await stop();
  await rm(directory, { recursive: true, force: true });
}

type System = Awaited<ReturnType<typeof prepare>>;

async function measureAll(system: System) {
  const file = join(directory, 'curriculum.json');
  await writeFile(file, curriculumOf(topics));
  console.log('|  | seconds | CPU seconds, content | PostgreSQL | MiB before | at most |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  const json = { name: 'curriculum.json', bytes: await readFile(file) };
  for (const [name, mode] of [
    ['import, all new', 'create'],
    ['import, unchanged', 'upsert'],
  ] as const) {
    const { seconds, peak } = await measure(system, name, () => runImport(system, json, mode));
    if (seconds > maxSeconds || peak > maxMiB) process.exitCode = 1;
  }
  for (const format of ['json', 'zip', 'csv', 'imscc'] as const) {
    let bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
    await measure(system, `export, ${format}`, async () => {
      bytes = await runExport(system, format);
    });
    if (format === 'json') continue;
    const name = `import of the ${format}`;
    await measure(system, name, () => runImport(system, { name: `curriculum.${format}`, bytes }, 'upsert'));
  }
}

async function measure({ pids }: System, name: string, work: () => Promise<unknown>) {
  // Linux then counts the largest resident memory from now on.
  await writeFile(`/proc/${pids.content}/clear_refs`, '5');
  const before = await memory(pids.content);
  const use = () => Promise.all([cpuSecondsOfFamily(pids.content), cpuSecondsOfFamily(pids.postgres)]);
  const usedBefore = await use();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1_000;
  const [content = 0, database = 0] = (await use()).map((used, at) => used - (usedBefore[at] ?? 0));
  const { peak } = await memory(pids.content);
  const cells = [seconds.toFixed(1), content.toFixed(1), database.toFixed(1), before.now.toFixed(0), peak.toFixed(0)];
  console.log(`| ${name} | ${cells.join(' | ')} |`);
  return { seconds, peak };
}

/** The resident memory of a process, now and at most, in MiB. */
async function memory(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

async function runImport({ request }: System, file: { name: string; bytes: Uint8Array }, mode: string) {
  const body = new FormData();
  body.set('file', new File([Buffer.from(file.bytes)], file.name));
  const { id } = await request(`/api/admin/education/imports?mode=${mode}`, { method: 'POST', body });
  const job = await untilEnded(request, `/api/admin/education/imports/${id}`);
  if (job.status !== 'completed') throw new Error(JSON.stringify(job).slice(0, 1_000));
}

async function runExport({ request }: System, format: string) {
  const body = JSON.stringify({ format });
  const headers = { 'content-type': 'application/json' };
  const { id } = await request('/api/admin/education/exports', { method: 'POST', body, headers });
  const job = await untilEnded(request, `/api/admin/education/exports/${id}`);
  if (job.status !== 'completed') throw new Error(JSON.stringify(job));
  const { status, bytes } = await fetchBytes(String(job.downloadUrl));
  if (status !== 200) throw new Error(`the download returned ${status}`);
  return bytes;
}

async function fetchBytes(url: string) {
  const response = await fetch(url);
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
}

async function untilEnded(request: System['request'], path: string) {
  let job = await request(path);
  await waitFor(
    async () => {
      job = await request(path);
      return ['completed', 'failed', 'cancelled'].includes(String(job.status));
    },
    { timeoutMs: 600_000, until: `${path} has ended` },
  );
  return job;
}

async function prepare() {
  await compile(root);
  // What a commit waits for belongs to the disk, not to what is measured.
  const server = await startPostgres({ directory: join(directory, 'postgres'), settings: { fsync: 'off' } });
  const nats = await startNats({ directory: join(directory, 'nats') });
  servers.push(server, nats);
  const [contentPort, mediaPort, nowhere] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${contentPort}`;
  const mediaUrl = `http://127.0.0.1:${mediaPort}`;
  const unreachable = `http://127.0.0.1:${nowhere}`;
  const common = {
    ...allocator,
    NATS_URL: nats.url,
    LOG_LEVEL: 'warn',
    PASSPORT_PUBLIC_KEY: testPassportKey,
    SERVICE_SECRET: 'a secret of at least 32 characters',
    PUBLIC_URL: url,
    CONTENT_URL: url,
    MEDIA_URL: mediaUrl,
    ENROLLMENT_URL: unreachable,
    IDENTITY_URL: unreachable,
  };
  const settings = { ...common, PORT: String(contentPort), DATABASE_URL: await createDatabase(server.url, 'content') };
  const content = await processes.startCompiled('content', 'services/content/dist/main.js', settings, heap);
  await processes.startCompiled('media', 'services/media/dist/main.js', {
    ...common,
    PORT: String(mediaPort),
    DATABASE_URL: await createDatabase(server.url, 'media'),
    PLAYBACK_SECRET: 'another secret of 32 characters!',
    STORAGE: 'file',
    STORAGE_PATH: join(directory, 'storage'),
  });
  await untilReachable(`${url}/api/education/levels`);
  await untilReachable(`${mediaUrl}/api/s3/document/stream`);

  const admin = testPrincipal(['ADMIN']);
  async function request(
    path: string,
    { headers = {}, ...options }: RequestInit & { headers?: Record<string, string> } = {},
  ) {
    const response = await fetch(url + path, { ...options, headers: { ...passportHeaders(admin), ...headers } });
    const { data } = Object(await response.json());
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return Object(data);
  }
  return { request, pids: { content, postgres: server.pid ?? 0 } };
}

async function createDatabase(superuserUrl: string, name: string): Promise<string> {
  const url = Object.assign(new URL(superuserUrl), { pathname: `/${name}` });
  const sql = postgres(superuserUrl, { max: 1, onnotice: () => undefined });
  await sql`create database ${sql(name)}`;
  await sql.end();
  await migrateDatabase(url.href, join(root, `services/${name}/migrations`));
  return url.href;
}
