import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testServiceSecret } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { admin, migrations } from './content-service.ts';
import { startImports, startMedia } from './import-service.ts';
import { zipOf } from './zip.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const path = '/api/admin/education/imports';
const nowhere = 'http://127.0.0.1:9';

/** A course with one topic for each of these many documents. */
function courseOf(topics: number, content = 'text', level = 'L') {
  const names = Array.from({ length: topics }, (_, index) => `Topic ${index}`);
  const items = names.map((name) => ({ name, description: 'x', content, documents: [{ file: `${name}.txt` }] }));
  const subjects = [{ name: 'S', description: 'x', topics: items }];
  const levels = [{ name: level, description: 'x', grades: [{ name: 'G', level: 'primary', subjects }] }];
  const files = Object.fromEntries(names.map((name) => [`${name}.txt`, name]));
  return zipOf({ 'curriculum.json': JSON.stringify({ version: 1, levels }), ...files });
}

/** Content as a process, which can be killed, with a real media service. */
async function startProcess(t: Test) {
  const media = await startMedia(t);
  const database = await testDatabase(t, migrations);
  const adminPort = await freePort();
  let running: ChildProcess | undefined;
  const kill = async () => {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  t.teardown(kill);
  const url = `http://127.0.0.1:${media.contentPort}`;
  return {
    database,
    holdFiles: media.holdFiles,
    kill,
    async start() {
      running = spawn(process.execPath, [main], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          PATH: process.env.PATH,
          PORT: String(media.contentPort),
          ADMIN_PORT: String(adminPort),
          LOG_LEVEL: 'fatal',
          DATABASE_URL: database.url,
          NATS_URL: 'nats://127.0.0.1:9',
          PASSPORT_PUBLIC_KEY: testPassportKey,
          SERVICE_SECRET: testServiceSecret,
          ENROLLMENT_URL: nowhere,
          IDENTITY_URL: nowhere,
          MEDIA_URL: media.url,
          PUBLIC_URL: 'https://lms.test',
        },
      });
      await waitFor(async () => (await fetch(`http://127.0.0.1:${adminPort}/livez`).catch(() => undefined))?.ok, {
        timeoutMs: 60_000,
        until: 'content runs',
      });
    },
    async upload(archive: Buffer) {
      const body = new FormData();
      body.append('file', new File([archive], 'course.zip'));
      const response = await fetch(url + path, { method: 'POST', body, headers: passportHeaders(admin) });
      const { data } = JSON.parse(await response.text());
      return String(data.id);
    },
    /** Ends the lease of half a minute that the killed process had. */
    endLease: () => database.sql`update imports set due_at = now() - interval '1 second' where finished_at is null`,
    async row(id: string) {
      const [row] = await database.sql`select * from imports where id = ${id}`;
      return row ?? {};
    },
  };
}

t.test('content as a process', async (t) => {
  const content = await startProcess(t);
  await content.start();

  t.test('an import of a killed process is continued by the next one, file by file', async (t) => {
    const id = await content.upload(courseOf(40));
    const done = async () => {
      const [row] = await content.database.sql`select count(*) filter (where is_done)::int as done from import_media`;
      return row?.done ?? 0;
    };
    await waitFor(async () => (await done()) >= 5, { until: 'some files are stored', everyMs: 20 });
    await content.kill();
    t.match(await content.row(id), { status: 'importing', finished_at: null });
    t.ok((await done()) < 40, 'not all');
    await content.endLease();
    await content.start();
    await waitFor(async () => (await content.row(id)).finished_at !== null, { timeoutMs: 60_000, until: 'the end' });
    t.match(await content.row(id), { status: 'completed', counts: { created: 43 }, attempts: 2, issue_count: 0 });
    const counts = await content.database
      .sql`select distinct jsonb_array_length(documents) as documents from nodes where kind = 'topic'`;
    t.same([...counts], [{ documents: 1 }], 'each topic has its document once');
    const events = await content.database
      .sql`select type, count(*)::int as total from outbox where type like 'content.%.created' group by 1 order by 1`;
    t.same(
      events.map(({ type, total }) => `${type} ${total}`),
      [
        'content.grade.created 1',
        'content.import.created 1',
        'content.level.created 1',
        'content.subject.created 1',
        'content.topic.created 40',
      ],
    );
  });

  t.test('an import that was killed while it was checked has changed nothing, and starts again', async (t) => {
    const nodes = async () => (await content.database.sql`select id from nodes`).length;
    const before = await nodes();
    const release = content.holdFiles();
    const id = await content.upload(courseOf(400, 'A text that is long enough. '.repeat(40), 'M'));
    await waitFor(async () => (await content.row(id)).status === 'checking', { until: 'it is checked', everyMs: 20 });
    await content.kill();
    release();
    t.equal(await nodes(), before);
    t.match(await content.row(id), { status: 'checking' });
    await content.endLease();
    await content.start();
    await waitFor(async () => (await content.row(id)).status === 'importing', { timeoutMs: 60_000, until: 'written' });
    t.equal(await nodes(), before + 403);
  });
});

t.test('an import is cancelled while it waits and while its files are stored', async (t) => {
  const service = await startImports(t);
  const cancel = (id: string) => service.call('POST', `${path}/${id}/cancel`, { as: admin });
  const { data: first } = await service.upload('first.zip', courseOf(60));
  const waiting = { version: 1, levels: [{ name: 'Waiting', description: 'x' }] };
  await waitFor(async () => (await service.read(first.id)).counts.media >= 2, {
    until: 'some files are stored',
    everyMs: 20,
  });
  const { json } = await service.call('POST', path, { as: admin, body: waiting });
  t.match((await cancel(json.data.id)).json, { data: { status: 'cancelled', finishedAt: String } });
  t.notOk((await service.nodes()).has('Waiting'));

  t.equal((await cancel(first.id)).status, 200);
  const cancelled = await service.end(first.id);
  t.match(cancelled, { status: 'cancelled', counts: { created: 63 } });
  t.ok(cancelled.counts.media < 60);
  const nodes = await service.nodes();
  t.ok(nodes.has('Topic 59'), 'the items remain');
  const attached = [...nodes.values()].reduce((sum, { documents }) => sum + documents.length, 0);
  t.equal(cancelled.counts.media, attached, 'the counts say how many files remain');
  t.match(await cancel(first.id), { status: 409, json: { code: 'INVALID_STATE', details: { current: 'cancelled' } } });
  await service.waitForNoFiles();
  const events = await service.database.sql`select type from outbox where type like 'content.import.cancelled'`;
  t.equal(events.length, 2);
});

/** Lets media not learn that the nth document is attached. */
function loseResponse(server: Server, nth: number, onLost: () => void) {
  let count = 0;
  server.prependListener('request', ({ method, url = '' }: IncomingMessage, response: ServerResponse) => {
    if (method !== 'POST' || !/^\/internal\/topics\/\w+\/documents$/.test(url)) return;
    count += 1;
    if (count !== nth) return;
    onLost();
    Object.assign(response, { writeHead: () => response.destroy() });
  });
}

t.test('a file whose upload failed after content had shown it is stored again', async (t) => {
  const { app, upload, end, nodes, database, mediaDatabase } = await startImports(t);
  let isLost = false;
  loseResponse(app.server, 1, () => (isLost = true));
  const { data } = await upload('course.zip', courseOf(2));
  const { status, counts, issueCount } = await end(data.id);
  t.ok(isLost);
  t.match({ status, media: counts.media, issueCount }, { status: 'completed', media: 2, issueCount: 0 });
  const [job] = await database.sql`select attempts from imports where id = ${data.id}`;
  t.ok(job?.attempts > 1);
  const shown = [...(await nodes()).values()].flatMap(({ documents }) => documents.map(({ id }: { id: string }) => id));
  t.equal(shown.length, 2, 'no document is shown twice');
  const stored = await mediaDatabase.sql`select id from objects where kind = 'document' and status = 'ready'`;
  t.same(shown.sort(), stored.map(({ id }) => id).sort(), 'media is not going to withdraw any of them');
});

t.test('equal documents are stored once each, whichever upload failed after content had shown it', async (t) => {
  for (const nth of [1, 2]) {
    const { app, upload, end, nodes, mediaDatabase } = await startImports(t);
    let isLost = false;
    loseResponse(app.server, nth, () => (isLost = true));
    const documents = ['Notes', 'Notes'].map((name) => ({ file: 'a.txt', name }));
    const topics = [{ name: 'T', description: 'x', content: 'x', documents }];
    const grades = [{ name: 'G', level: 'primary', subjects: [{ name: 'S', description: 'x', topics }] }];
    const json = JSON.stringify({ version: 1, levels: [{ name: 'L', description: 'x', grades }] });
    const { data } = await upload('course.zip', zipOf({ 'curriculum.json': json, 'a.txt': 'a' }));
    t.match(await end(data.id), { status: 'completed', issueCount: 0 });
    t.ok(isLost);
    const shown: { id: string }[] = (await nodes()).get('T')?.documents;
    const stored = await mediaDatabase.sql`select id from objects where kind = 'document' and status = 'ready'`;
    t.equal(shown.length, 2, `upload ${nth}`);
    t.same(shown.map(({ id }) => id).sort(), stored.map(({ id }) => id).sort(), 'media is not going to withdraw any');
  }
});

t.test('a file counts as stored together with its warning', async (t) => {
  const { upload, read, end, database } = await startImports(t);
  await database.sql`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
    create trigger refuse before update of issues on imports for each row when (new.issue_count > 0)
    execute function refuse()`.simple();
  const items = [{ name: 'T', description: 'x', content: 'x', documents: [{ file: 'large.bin' }] }];
  const grades = [{ name: 'G', level: 'primary', subjects: [{ name: 'S', description: 'x', topics: items }] }];
  const json = JSON.stringify({ version: 1, levels: [{ name: 'L', description: 'x', grades }] });
  const archive = zipOf({ 'curriculum.json': json, 'large.bin': randomBytes(1_000_001) });
  const { data } = await upload('course.zip', archive);
  const isReleased = async () =>
    (await database.sql`select from imports where id = ${data.id} and status = 'importing' and lease_id is null`)
      .length === 1;
  await waitFor(isReleased, { until: 'the attempt that could not record the warning has ended' });
  t.match(await read(data.id), { issueCount: 0 });
  await database.sql`drop trigger refuse on imports`;
  await database.sql`update imports set due_at = now() where id = ${data.id}`;
  t.match(await end(data.id), { status: 'completed', issueCount: 1, issues: [{ code: 'PAYLOAD_TOO_LARGE' }] });
});

t.test('an import that ends its process in each attempt fails after the last one, and changes nothing', async (t) => {
  const service = await startImports(t);
  const release = service.holdFiles();
  const { data } = await service.upload('course.zip', courseOf(1));
  const attempts = async () =>
    (await service.database.sql`select attempts from imports where id = ${data.id}`)[0]?.attempts;
  await waitFor(async () => (await attempts()) === 1, { until: 'the first attempt' });
  // As 19 more attempts, each of which ends its process, leave it.
  await service.database.sql`
    update imports set attempts = 20, lease_id = 'ended', due_at = now() - interval '1 second' where id = ${data.id}`;
  release();
  t.match(await service.end(data.id), {
    status: 'failed',
    issues: [{ code: 'INTERNAL_ERROR' }],
    counts: { created: 0 },
  });
  t.notOk((await service.nodes()).has('Topic 0'));
  await service.waitForNoFiles();
});

t.test('an import whose administrator takes all their upload slots waits, however long', async (t) => {
  const { upload, end, holdFiles, mediaUrl, database } = await startImports(t);
  const release = holdFiles();
  const { data } = await upload('course.zip', courseOf(1));
  const rows = () => database.sql`select attempts, status, lease_id from imports where id = ${data.id}`;
  await waitFor(async () => (await rows())[0]?.attempts === 1, { until: 'the first attempt' });

  const uploads = new AbortController();
  const headers = { ...passportHeaders(admin), 'content-type': 'multipart/form-data; boundary=x' };
  const send = (body: ReadableStream | string) =>
    fetch(`${mediaUrl}/api/s3/document/upload`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      signal: uploads.signal,
    });
  for (let count = 0; count < 4; count += 1)
    send(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('--x\r\n')) })).catch(() => undefined);
  await waitFor(async () => (await send('--x--')).status === 429, { until: 'the slots are taken' });
  await database.sql`update imports set attempts = 20 where id = ${data.id}`;
  release();
  await waitFor(async () => (await rows())[0]?.lease_id === null, { until: 'the end of the attempt' });
  t.match(await rows(), [{ status: 'importing', attempts: 19 }]);
  uploads.abort();
  await waitFor(async () => {
    await database.sql`update imports set due_at = now() where id = ${data.id} and lease_id is null`;
    return (await rows())[0]?.status === 'completed';
  });
  t.match(await end(data.id), { status: 'completed', counts: { media: 1 } });
});
