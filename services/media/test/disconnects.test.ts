import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createRegistry } from '@lms/telemetry/registry';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import type { Deps } from '../src/app.ts';
import { type AccessWatch, createAccessWatch } from '../src/objects/watch-access.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { createS3Storage } from '../src/storage/s3.ts';
import type { Storage } from '../src/storage.ts';
import { externalS3, startS3 } from './s3-service.ts';
import { sample } from './samples.ts';
import { startVideoUpload } from './slow-upload.ts';
import { dataOf, startMedia } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);
const bytes = sample('mp4', 12_000_000);

/** Wraps a storage, and records the streams it opens. */
function recordStreams(storage: Storage) {
  const opened: Readable[] = [];
  const open: Storage['open'] = async (...args) => {
    const body = await storage.open(...args);
    opened.push(body);
    return body;
  };
  return { storage: { ...storage, open }, opened };
}

async function withVideo(t: Test, storage: Storage, given: Partial<Deps> = {}) {
  const { storage: recorded, opened } = recordStreams(storage);
  const media = await startMedia(t, { storage: recorded, ...given });
  const topic = media.content.addTopic();
  const upload = await startVideoUpload(media, admin, topic.id, bytes);
  t.equal((await upload.finish()).status, 200);
  const path = `/api/education/topics/${topic.id}/video`;
  const startDownload = async (): Promise<IncomingMessage> => {
    const request = get({ host: '127.0.0.1', port: media.port, path, headers: passportHeaders(admin), agent: false });
    const [response] = await once(request, 'response');
    response.on('error', () => undefined);
    return response;
  };
  return { media, topic, opened, path, startDownload };
}

async function openFolder(t: Test) {
  return createFileStorage(t.testdir());
}
async function openS3(t: Test) {
  const storage = createS3Storage((await startS3(t)).options);
  t.teardown(storage.close);
  return storage;
}

for (const [kind, openStorage] of [
  ['a folder', openFolder],
  ['S3', openS3],
] as const) {
  t.test(`downloads from ${kind}`, async (t) => {
    const { opened, startDownload } = await withVideo(t, await openStorage(t), { readerIdleMs: 1_500 });

    t.test('are closed as soon as their clients disconnect', async (t) => {
      const responses = await Promise.all(Array.from({ length: 8 }, startDownload));
      t.equal(opened.length, 8);
      for (const response of responses) response.destroy();
      await waitFor(() => opened.every((body) => body.closed), { until: 'closed bodies' });
    });

    t.test('are closed if their clients stop reading', async (t) => {
      const since = performance.now();
      const response = await startDownload();
      response.pause();
      await waitFor(() => opened.every((body) => body.closed), { until: 'a closed body' });
      t.ok(performance.now() - since >= 1_490);
    });

    t.test('reach slow but steady clients as a whole', async (t) => {
      const response = await startDownload();
      let size = 0;
      for await (const chunk of response) {
        size += chunk.length;
        await new Promise((resolve) => setTimeout(resolve, 12));
      }
      t.equal(size, bytes.length);
    });
  });
}

t.test('a client that disconnects while S3 does not respond leaves no connection to S3', async (t) => {
  const connections: Socket[] = [];
  const silent = createServer((socket) => connections.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => {
    for (const socket of connections) socket.destroy();
    silent.close();
  });
  const endpoint = `http://127.0.0.1:${Object(silent.address()).port}`;
  const s3 = createS3Storage({ endpoint, bucket: 'lms', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' });
  t.teardown(s3.close);
  const { media, path } = await withVideo(t, { ...(await openFolder(t)), open: s3.open });
  const left = new AbortController();
  const reading = media.send(admin, path, { signal: left.signal });
  await waitFor(() => connections.length === 1);
  left.abort();
  await t.rejects(reading);
  await waitFor(() => connections[0]?.resume().readableEnded, { until: 'the end of the connection to S3' });
  t.equal(connections.length, 1);
});

t.test('a user who reads slowly holds a limited number of downloads', async (t) => {
  const { media, topic, startDownload } = await withVideo(t, await openFolder(t), { maxDownloadsPerUser: 2 });
  const [first, second] = [await startDownload(), await startDownload()];
  t.same([first.statusCode, second.statusCode], [200, 200]);
  const path = `/api/education/topics/${topic.id}/video`;
  const refused = await media.send(admin, path, { headers: { range: 'bytes=0-0' } });
  t.equal(refused.status, 429);
  t.equal(refused.headers.get('retry-after'), '5');
  t.match(await refused.json(), {
    code: 'RATE_LIMITED',
    error: 'You have too many downloads in progress',
    details: { limit: 2 },
  });
  const other = await media.send(testPrincipal(['ADMIN']), path, { method: 'HEAD' });
  t.equal(other.status, 200, 'other users are not affected');
  first.destroy();
  await waitFor(async () => (await media.send(admin, path, { method: 'HEAD' })).status === 200);
  second.destroy();
});

t.test('a client that is slow to read gets more time than one that is slow to send', async (t) => {
  const { media, topic, startDownload } = await withVideo(t, await openFolder(t), { senderWindowMs: 300 });
  const response = await startDownload();
  response.pause();
  const silent = await startVideoUpload(media, admin, topic.id, sample('mp4', 200_000));
  t.equal((await silent.response).status, 408);
  let size = 0;
  for await (const chunk of response) size += chunk.length;
  t.equal(size, bytes.length);
});

t.test('disconnected uploads leave no objects and no open multipart uploads in S3', async (t) => {
  const external = await externalS3(t);
  const s3 = external ?? (await startS3(t));
  const storage = createS3Storage(s3.options);
  t.teardown(storage.close);
  const before = await s3.keys();
  const media = await startMedia(t, { storage, maxConcurrentUploads: 80 });
  const topic = media.content.addTopic();
  const uploads = await Promise.all(
    Array.from({ length: 4 }, () => startVideoUpload(media, admin, topic.id, sample('mp4', 9_000_000))),
  );
  const multipartRows = async () => media.database.sql`select 1 from objects where multipart_id is not null`;
  await waitFor(async () => (await multipartRows()).length === 4, { until: 'four open uploads' });
  for (const { request } of uploads) request.destroy();
  await waitFor(async () => (await media.rows()).length === 0, { until: 'no rows' });
  t.same(await s3.keys(), before);
  if (external) t.same(await external.openUploads(), []);
});

t.test('an upload to S3 that is too slow is aborted', async (t) => {
  const external = await externalS3(t);
  const s3 = external ?? (await startS3(t));
  const storage = createS3Storage(s3.options);
  t.teardown(storage.close);
  const before = await s3.keys();
  const media = await startMedia(t, { storage, senderWindowMs: 3_000 });
  const topic = media.content.addTopic();
  const upload = await startVideoUpload(media, admin, topic.id, sample('mp4', 9_000_000));
  await waitFor(
    async () => (await media.database.sql`select 1 from objects where multipart_id is not null`).length === 1,
  );
  const { status, body } = await upload.response;
  t.equal(status, 408);
  t.match(body, { code: 'REQUEST_TIMEOUT' });
  await waitFor(async () => (await media.rows()).length === 0, { until: 'no rows' });
  t.same(await s3.keys(), before);
  if (external) t.same(await external.openUploads(), []);
});

/** A learner's video, its playback URL, and the connection of the last request. */
async function startDownloads(t: Test, accessWatch: AccessWatch) {
  const media = await startMedia(t, { accessWatch });
  const learner = testPrincipal();
  const topic = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  const path = `/api/education/topics/${topic.id}/video`;
  // More than the buffers of a connection hold.
  const upload = await startVideoUpload(media, admin, topic.id, sample('mp4', 15_000_000));
  t.equal((await upload.finish()).status, 200);
  const playback = await media.send(learner, `${path}/playback`, { method: 'POST' });
  const { pathname, search } = new URL((await dataOf(playback)).url);
  let connection: Socket | undefined;
  media.app.server.on('request', ({ socket }: IncomingMessage) => {
    connection = socket;
  });
  return {
    content: media.content,
    learner,
    topic,
    path,
    playbackPath: pathname + search,
    checks: () => media.content.requests.filter(({ path }) => path.endsWith('?fresh=true')).length,
    async download(target: string, headers: Record<string, string>) {
      const request = get({ host: '127.0.0.1', port: media.port, path: target, headers, agent: false });
      const [response] = await once(request, 'response');
      response.on('error', () => undefined);
      return response;
    },
    async untilEnded(response: IncomingMessage) {
      await waitFor(() => connection?.destroyed);
      await waitFor(() => response.resume().destroyed);
      t.equal(response.complete, false);
    },
  };
}

t.test('a download whose client left before its first byte is not watched', async (t) => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  let isOpening = false;
  const files = await openFolder(t);
  const storage: Storage = {
    ...files,
    async open(...args) {
      isOpening = true;
      await isReleased;
      return files.open(...args);
    },
  };
  let watched = 0;
  const watch = () => {
    watched += 1;
  };
  const accessWatch = { ...createAccessWatch(), watch };
  const registry = createRegistry();
  const { media, opened, path } = await withVideo(t, storage, { accessWatch, registry });
  let isClosed = false;
  media.app.server.once('request', (_request: IncomingMessage, response: ServerResponse) =>
    response.once('close', () => (isClosed = true)),
  );
  const request = get({ host: '127.0.0.1', port: media.port, path, headers: passportHeaders(admin), agent: false });
  request.once('error', () => undefined);
  await waitFor(() => isOpening, { until: 'the object is being opened' });
  request.destroy();
  await waitFor(() => isClosed, { until: 'the server knows' });
  release();
  await waitFor(() => opened.length === 1 && opened[0]?.closed, { until: 'a closed body' });
  t.equal(watched, 0);
  t.match(await registry.metrics(), 'media_transfers_running{direction="download"} 0');
});

t.test('a download under way ends when its reader loses access, not before', async (t) => {
  // A check that is late by two intervals ends the download, too: on a busy machine 400 ms are not enough.
  const downloads = await startDownloads(t, createAccessWatch(800));
  const { content, learner, topic, path, checks, download, untilEnded } = downloads;
  for (const [target, headers] of [
    [path, passportHeaders(learner)],
    [downloads.playbackPath, {}],
  ] as const) {
    topic.enrolled.add(learner.userId);
    const response = await download(target, headers);
    const before = checks();
    await waitFor(() => checks() >= before + 3);
    t.equal(response.destroyed, false);
    topic.enrolled.delete(learner.userId);
    await untilEnded(response);
  }

  topic.enrolled.add(learner.userId);
  const response = await download(path, passportHeaders(learner));
  await content.stop();
  // Also when the access cannot be checked for too long.
  await untilEnded(response);
});

t.test('an event of its reader ends a download at once, if the access is lost', async (t) => {
  const accessWatch = createAccessWatch(60_000);
  const downloads = await startDownloads(t, accessWatch);
  const { learner, topic, path, checks, download, untilEnded } = downloads;
  const [enrollments, users] = accessWatch.subscriptions;
  for (const [target, headers, onChange] of [
    [path, passportHeaders(learner), () => enrollments?.onEvent({ data: { userId: learner.userId } })],
    [downloads.playbackPath, {}, () => users?.onEvent({ data: { id: learner.userId } })],
  ] as const) {
    topic.enrolled.add(learner.userId);
    const response = await download(target, headers);
    const before = checks();
    enrollments?.onEvent({ data: { userId: testPrincipal().userId } });
    onChange();
    await waitFor(() => checks() > before);
    t.equal(checks(), before + 1, 'only its own reader is checked');
    t.equal(response.destroyed, false, 'a reader who keeps the access goes on');
    topic.enrolled.delete(learner.userId);
    onChange();
    await untilEnded(response);
  }
});
