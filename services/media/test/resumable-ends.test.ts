import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { topicEvents } from '@lms/contracts/events/content';
import { userDeleted } from '@lms/contracts/events/identity';
import { exportPath } from '@lms/contracts/internal/export';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { createRegistry } from '@lms/telemetry/registry';
import { testDatabase } from '@lms/testing/database';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { checkObjects } from '../src/check-objects.ts';
import { splitBody } from '../src/objects/resumable-uploads/split-body.ts';
import { onTopicPurged } from '../src/on-topic-purged.ts';
import { onUserDeleted } from '../src/on-user-deleted.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { createS3Storage } from '../src/storage/s3.ts';
import { StorageFailure } from '../src/storage.ts';
import { externalS3, startS3 } from './s3-service.ts';
import { sample } from './samples.ts';
import { type Media, migrations, startMedia } from './start-media.ts';
import { inChunks } from './storage-contract.ts';
import {
  checksum,
  create,
  createPath,
  documentUploads,
  jsonOf,
  mebibyte,
  offsetOf,
  partKeys,
  patch,
  resultOf,
  startPatch,
  tusHeaders,
  videoUploads,
} from './tus.ts';

const admin = testPrincipal(['ADMIN']);
const fast = { reaperIntervalMs: 50 };
const uploadRows = (media: Media) => media.database.sql`select * from resumable_uploads`;

t.test('what is known is checked at the beginning', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const mentor = testPrincipal(['MENTOR']);
  const path = videoUploads(topic.id);
  const refused = async (sent: Promise<Response>, status: number, code: string) =>
    t.match({ ...(await jsonOf(await sent)), status: (await sent).status }, { success: false, status, code });
  await refused(create(media, admin, path, 9, { filename: 'a.exe' }), 400, 'UNSUPPORTED_FORMAT');
  await refused(create(media, admin, path, 9, {}), 400, 'UNSUPPORTED_FORMAT');
  await refused(create(media, mentor, path, 9), 403, 'FORBIDDEN');
  await refused(create(media, testPrincipal(['LEARNER']), path, 9), 403, 'FORBIDDEN');
  await refused(create(media, admin, videoUploads(createId()), 9), 404, 'NOT_FOUND');
  await refused(create(media, admin, videoUploads('nothing'), 9), 404, 'NOT_FOUND');
  const named = (metadata: Record<string, string>) => create(media, admin, documentUploads, 9, metadata);
  await refused(named({ filename: 'a.txt' }), 422, 'VALIDATION_ERROR');
  await refused(named({ topicId: topic.id, filename: 'a'.repeat(5_000) }), 400, 'VALIDATION_ERROR');
  await refused(named({ topicId: 'nothing' }), 404, 'NOT_FOUND');
  await refused(named({ topicId: topic.id, name: 'n'.repeat(201) }), 422, 'VALIDATION_ERROR');
  await refused(create(media, admin, documentUploads, 1_000_001, { topicId: topic.id }), 413, 'PAYLOAD_TOO_LARGE');
  t.same([...(await uploadRows(media))], []);

  for (let count = 0; count < 45; count += 1) await createPath(media, admin, path, 9);
  const together = await Promise.all(Array.from({ length: 10 }, () => create(media, admin, path, 9)));
  t.equal(together.filter(({ status }) => status === 201).length, 5);
  const tooMany = await create(media, admin, path, 9);
  t.ok(Number(tooMany.headers.get('retry-after')) > 86_000);
  t.match(await jsonOf(tooMany), { code: 'RATE_LIMITED', details: { scope: 'upload', limit: 50, resetAt: String } });
  await createPath(media, testPrincipal(['ADMIN']), path, 9);
});

t.test('what is checked at the end is the result', async (t) => {
  const registry = createRegistry();
  const media = await startMedia(t, { registry });
  const mentor = testPrincipal(['MENTOR']);
  const [topic, lost, gone] = [1, 2, 3].map(() => media.content.addTopic({ mentorId: mentor.userId }));
  if (!topic || !lost || !gone) throw new Error('no topics');
  const bytes = sample('mp4', 20_000);
  const mkv = sample('mkv', 20_000);
  const paths: string[] = [];
  for (const { id } of [topic, lost, gone]) paths.push(await createPath(media, mentor, videoUploads(id), bytes.length));
  lost.mentorId = null;
  media.content.topics.delete(gone.id);
  for (const [index, [body, status, code]] of (
    [
      [mkv, 400, 'UNSUPPORTED_FORMAT'],
      [bytes, 403, 'FORBIDDEN'],
      [bytes, 404, 'NOT_FOUND'],
    ] as const
  ).entries()) {
    const path = paths[index] ?? '';
    const sent = await patch(media, mentor, path, 0, body);
    t.equal(sent.status, 204, 'the bytes are acknowledged');
    t.equal(sent.headers.get('x-lms-upload-finished'), null);
    for (const _ of ['first', 'again']) {
      const result = await resultOf(media, mentor, path);
      t.equal(result.status, status);
      t.match(await jsonOf(result), { success: false, code, requestId: String });
    }
    t.equal(await offsetOf(media, mentor, path), bytes.length);
  }
  t.match(topic, { video: null });
  await waitFor(async () => (await partKeys(media)).length === 0);
  await media.waitForObjects(0);
  t.match(await registry.metrics(), /media_resumable_uploads_total\{event="failed"\} 3/);
});

t.test('an outage of content or storage delays the end, and loses nothing', async (t) => {
  const files = createFileStorage(t.testdir());
  const broken = { isBroken: false };
  const storage = {
    ...files,
    async put(...given: Parameters<typeof files.put>) {
      if (broken.isBroken) throw new StorageFailure('the disk is full');
      await files.put(...given);
    },
  };
  const media = await startMedia(t, { storage, ...fast });
  const topic = media.content.addTopic();
  const bytes = sample('mp4', 200_000);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  t.equal((await patch(media, admin, path, 0, bytes.subarray(0, 100_000))).status, 204);
  broken.isBroken = true;
  const refused = await patch(media, admin, path, 100_000, bytes.subarray(100_000));
  t.equal(refused.status, 503);
  t.match(refused.headers.get('retry-after'), /^\d+$/);
  t.equal(await offsetOf(media, admin, path), 100_000);
  broken.isBroken = false;

  media.content.intercept(async ({ method }, _apply, response) => {
    if (method !== 'PUT') return false;
    response.destroy();
    return true;
  });
  t.equal((await patch(media, admin, path, 100_000, bytes.subarray(100_000))).status, 204);
  t.equal((await media.send(admin, `${path}/result`)).status, 503);
  media.content.stopIntercepting();
  // The reaper finishes it, without a request.
  await media.database.sql`update resumable_uploads set due_at = now()`;
  await waitFor(() => topic.video !== null, { until: 'the video' });
  const result = await resultOf(media, admin, path);
  t.equal(result.status, 200);
  t.equal(result.headers.get('x-lms-upload-finished'), '1', 'the result reports what no response has');
  await media.database.sql`update objects set due_at = now() where status <> 'ready'`;
  await waitFor(async () => (await media.rows()).length === 1);
});

t.test('a file is never attached without all of its bytes', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const bytes = sample('mp4', 2_000);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  t.equal((await patch(media, admin, path, 0, bytes.subarray(0, 1_000))).status, 204);
  const [piece] = await partKeys(media);
  const storage = createFileStorage(media.root);
  const put = (size: number) => storage.put(piece?.key ?? '', inChunks(bytes.subarray(0, size)));
  await put(900);
  t.equal((await patch(media, admin, path, 1_000, bytes.subarray(1_000))).status, 204);
  t.equal((await media.send(admin, `${path}/result`)).status, 503);
  t.equal(topic.video, null);

  await put(1_000);
  await media.database.sql`update resumable_uploads set due_at = now()`;
  await waitFor(() => topic.video !== null, { until: 'the video' });
  t.match(topic.video, { video: { size: 2_000 } });
});

t.test('uploads that have expired, and those of users and topics that are gone, are deleted', async (t) => {
  const media = await startMedia(t, fast);
  const topics = [1, 2, 3, 4].map(() => media.content.addTopic());
  const [expired, purged, left, kept] = topics;
  if (!expired || !purged || !left || !kept) throw new Error('no topics');
  const leaver = testPrincipal(['ADMIN']);
  const bytes = sample('mp4', 1_000);
  const begin = async (user: typeof admin, topicId: string) => {
    const path = await createPath(media, user, videoUploads(topicId), bytes.length);
    await patch(media, user, path, 0, bytes.subarray(0, 500));
    return path;
  };
  const paths = [await begin(admin, expired.id), await begin(admin, purged.id), await begin(leaver, left.id)];
  const keptPath = await begin(admin, kept.id);
  t.match(await jsonOf(await media.send(leaver, exportPath)), {
    data: { unfinishedUploads: [{ topicId: left.id, fileName: 'lesson.mp4', length: 1_000, offset: 500 }] },
  });

  await media.database.sql`update resumable_uploads set expires_at = now() where topic_id = ${expired.id}`;
  const { db } = media.database;
  const now = new Date().toISOString();
  const times = { createdAt: now, updatedAt: now };
  const outline = {
    subjectId: createId(),
    name: 'Gone',
    description: '',
    position: 0,
    isActive: false,
    externalId: null,
  };
  const messageOf = ({ type, subject }: { type: string; subject: string }, data: { id: string }) => ({
    ...{ id: createId(), aggregateId: data.id, subject, headers: { 'ce-type': type } },
    body: JSON.stringify({ ...times, ...data, version: 1 }),
  });
  const purge = { ...outline, id: purged.id, deletedAt: now, video: null, documents: [] };
  const { userId, ...user } = leaver;
  await db.transaction(async (tx) => {
    await onTopicPurged({ publicUrl: 'https://lms.example' }).handle(tx, messageOf(topicEvents.purged, purge));
    await onUserDeleted.handle(tx, messageOf(userDeleted, { ...user, id: userId }));
  });
  await waitFor(async () => (await uploadRows(media)).length === 1 && (await media.files()).length === 1);
  for (const [index, path] of paths.entries()) {
    const user = index === 2 ? leaver : admin;
    t.equal((await media.send(user, path, { method: 'HEAD', headers: tusHeaders })).status, 404);
    t.equal((await media.send(user, `${path}/result`)).status, 404);
  }
  t.equal(await offsetOf(media, admin, keptPath), 500);
  t.same(await checkObjects(db, createFileStorage(media.root)), { unreferenced: [], missing: [] });
});

t.test('pieces that a killed process was storing are deleted', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const path = await createPath(media, admin, videoUploads(topic.id), 1_000);
  const id = path.split('/').at(-1) ?? '';
  const key = `part-${'a'.repeat(40)}`;
  await createFileStorage(media.root).put(key, inChunks(Buffer.from('piece')));
  await media.database.sql`insert into upload_parts (key, upload_id) values (${key}, ${id})`;
  await media.send(admin, path, { method: 'DELETE', headers: tusHeaders });
  t.same(await media.files(), [key], 'another process may still be storing it');
  await media.database.sql`update upload_parts set created_at = now() - interval '5 minutes'`;
  await waitFor(async () => (await uploadRows(media)).length === 0);
  t.same(await media.files(), []);
});

t.test('a piece counts whose commit the database did not confirm', async (t) => {
  const database = await testDatabase(t, migrations);
  let isLost = true;
  const transaction: Db['transaction'] = async (...args) => {
    const result = await database.db.transaction(...args);
    if (!isLost || !Object(result).received) return result;
    isLost = false;
    throw Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' });
  };
  const media = await startMedia(t, {
    database: { ...database, db: Object.create(database.db, { transaction: { value: transaction } }) },
  });
  const topic = media.content.addTopic();
  const bytes = sample('mp4', 200_000);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  t.equal((await patch(media, admin, path, 0, bytes.subarray(0, 100_000))).status, 503);
  t.equal(isLost, false);
  t.equal(await offsetOf(media, admin, path), 100_000);
  t.equal((await patch(media, admin, path, 100_000, bytes.subarray(100_000))).status, 204);
  const { data } = await jsonOf(await resultOf(media, admin, path));
  t.equal(data.video.checksum, `sha256:${createHash('sha256').update(bytes).digest('hex')}`);
});

t.test('pieces of a long request with a checksum stay while it holds the upload', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const bytes = sample('mp4', 1_000);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  const begin = async () => {
    const headers = { 'upload-checksum': checksum('sha256', bytes) };
    const sending = startPatch(media, admin, path, 0, bytes.length, headers);
    await sending.write(bytes.subarray(0, 100));
    await waitFor(async () => (await partKeys(media)).length === 1);
    await media.database.sql`update upload_parts set created_at = now() - interval '5 minutes'`;
    return sending;
  };
  const abandoned = await begin();
  // As after ten seconds without a byte.
  await media.database.sql`update resumable_uploads set lease_until = now()`;
  await waitFor(async () => (await partKeys(media)).length === 0, {
    until: 'the abandoned piece is deleted',
    timeoutMs: 9000,
  });
  await abandoned.write(bytes.subarray(100));
  t.ok((await abandoned.response) > 400);
  t.equal(await offsetOf(media, admin, path), 0, 'what it has stored does not count');

  const slow = await begin();
  await slow.write(bytes.subarray(100));
  t.equal(await slow.response, 204);
  t.equal((await resultOf(media, admin, path)).status, 200);
});

t.test('an upload whose last response was not received counts with the next one', async (t) => {
  const media = await startMedia(t);
  const bytes = sample('mp4', 1_000);
  const begin = async () => {
    const topic = media.content.addTopic();
    const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
    return { topic, path, sending: startPatch(media, admin, path, 0, bytes.length) };
  };
  let patched: ServerResponse | undefined;
  let isBroken = false;
  media.app.server.prependListener('request', ({ method }: IncomingMessage, response: ServerResponse) => {
    if (method !== 'PATCH') return;
    patched = response;
    if (isBroken) Object.assign(response, { writeHead: () => response.destroy() });
  });
  const counted = async (sent: Promise<Response>) => (await sent).headers.get('x-lms-upload-finished');

  // The client leaves while the video is attached.
  const [first, second] = [await begin(), await begin()];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isAttaching = false;
  media.content.intercept(async ({ method }) => {
    if (method !== 'PUT') return false;
    isAttaching = true;
    await released;
    return false;
  });
  await first.sending.write(bytes);
  await waitFor(() => isAttaching);
  first.sending.cut();
  await waitFor(() => patched?.destroyed);
  release();
  await waitFor(() => first.topic.video !== null);
  media.content.stopIntercepting();
  const isFinished = async () => (await uploadRows(media)).some(({ status }) => status === 'finished');
  await waitFor(isFinished);

  // The connection breaks before the response.
  isBroken = true;
  await second.sending.write(bytes);
  await t.rejects(second.sending.response);
  const uncounted = async () => (await uploadRows(media)).filter(({ is_counted }) => !is_counted).length;
  await waitFor(async () => second.topic.video !== null && (await uncounted()) === 2);

  const other = testPrincipal(['ADMIN']);
  const create9 = (user: typeof admin) => create(media, user, videoUploads(first.topic.id), 9);
  t.equal(await counted(create9(other)), null, 'uploads of others are not reported');
  t.equal(await counted(create9(admin)), '2');
  t.equal(await counted(media.send(admin, `${second.path}/result`)), null);

  // The upload is deleted before another request reports it.
  const third = await begin();
  await third.sending.write(bytes);
  await t.rejects(third.sending.response);
  await waitFor(async () => (await uploadRows(media)).some((row) => row.status === 'finished' && !row.is_counted));
  const terminate = { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } };
  t.equal(await counted(media.send(admin, third.path, terminate)), '1');
});

t.test('a body that is read in pieces is not kept in memory', async (t) => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  async function* body() {
    for (let sent = 0; sent < 64; sent += 1) yield new Uint8Array(mebibyte);
  }
  const { signal } = new AbortController();
  let held = 0;
  for await (const piece of splitBody(body(), { maxBytes: 8 * mebibyte, maxMs: 60_000, signal })) {
    for await (const _chunk of piece);
    collectGarbage();
    held = Math.max(held, process.memoryUsage().arrayBuffers);
  }
  t.ok(held < 50 * mebibyte, `${held} bytes`);
});

t.test('a silent writer is replaced, and cannot write any more', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const bytes = sample('mp4', 1_000);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  const silent = startPatch(media, admin, path, 0, bytes.length);
  await silent.write(bytes.subarray(0, 100));
  await waitFor(async () => (await partKeys(media)).length === 1);
  const replaceSilent = async () => {
    // As after ten seconds without a byte. The writer may still renew its lease once.
    await media.database.sql`update resumable_uploads set lease_until = now()`;
    return (await patch(media, admin, path, 0, bytes.subarray(0, 300))).status === 204;
  };
  await waitFor(replaceSilent);
  await silent.write(bytes.subarray(100));
  silent.end();
  t.equal(await silent.response, 423);
  t.equal(await offsetOf(media, admin, path), 300);
  t.equal((await patch(media, admin, path, 300, bytes.subarray(300))).status, 204);
  t.equal((await resultOf(media, admin, path)).status, 200);
});

t.test('requests for bytes take upload slots', async (t) => {
  const media = await startMedia(t, { maxConcurrentUploads: 4, senderWindowMs: 600 });
  const topics = [1, 2].map(() => media.content.addTopic());
  const paths = await Promise.all(topics.map(({ id }) => createPath(media, admin, videoUploads(id), 5_000_000)));
  const first = startPatch(media, admin, paths[0] ?? '', 0, 5_000_000);
  await first.write(sample('mp4', 10));
  await waitFor(async () => (await partKeys(media)).length === 1);
  const waiting = patch(media, admin, paths[1] ?? '', 0, Buffer.alloc(10));
  t.equal(await first.response, 408, 'a sender that is too slow');
  t.equal((await waiting).status, 204);
  t.equal(await offsetOf(media, admin, paths[0] ?? ''), 10);
});

for (const [name, open] of [
  ['S3', startS3],
  ['the server in S3_TEST_ENDPOINT', externalS3],
] as const)
  t.test(`pieces are stored, joined and deleted on ${name}`, async (t) => {
    const s3 = await open(t);
    if (!s3) return t.pass('S3_TEST_ENDPOINT is not set');
    const storage = createS3Storage(s3.options);
    t.teardown(storage.close);
    const media = await startMedia(t, { storage, maxDocumentBytes: 30 * mebibyte, ...fast });
    const topic = media.content.addTopic();
    const bytes = sample('mp4', 12_000_000);
    const metadata = { filename: 'a.bin', topicId: topic.id };
    const sizesOf = (keys: string[]) => Promise.all(keys.map(async (key) => (await storage.stat(key))?.size));
    const keysOfParts = async () => (await partKeys(media)).map(({ key }) => key);
    const isHeld = async () => (await uploadRows(media)).some(({ holder }) => holder !== null);

    const path = await createPath(media, admin, documentUploads, bytes.length, metadata);
    let offset = 0;
    for (const [size, parts] of [
      [1, 1],
      [9 * mebibyte, 3],
    ] as const) {
      const sending = startPatch(media, admin, path, offset, bytes.length - offset);
      await sending.write(bytes.subarray(offset, offset + size));
      // A piece has a row as soon as its first bytes have arrived.
      await waitFor(async () => (await partKeys(media)).length >= parts, { until: `${parts} pieces` });
      sending.cut();
      await waitFor(async () => !(await isHeld()), { until: 'the end of the request' });
      const before = offset;
      offset = await offsetOf(media, admin, path);
      t.ok(offset > before && offset <= before + size, `${offset} bytes are durable`);
    }
    t.ok(offset > 8 * mebibyte + 1, 'a whole piece, and what has arrived of the next one');
    const keys = await keysOfParts();
    const stored = (await sizesOf(keys)).reduce<number>((sum, size) => sum + (size ?? 0), 0);
    t.same([keys.length, stored], [3, offset], 'they are objects');

    t.equal((await patch(media, admin, path, offset, bytes.subarray(offset))).status, 204);
    t.equal((await resultOf(media, admin, path)).status, 201);
    const [document] = topic.documents;
    const download = await media.send(admin, `/api/s3/document/stream?key=${document?.key}`);
    t.ok(Buffer.from(await download.arrayBuffer()).equals(bytes));
    await waitFor(async () => (await partKeys(media)).length === 0);
    t.same(await sizesOf([...keys, document?.key ?? '']), [undefined, undefined, undefined, bytes.length]);

    const ended = await createPath(media, admin, documentUploads, 2_000, metadata);
    t.equal((await patch(media, admin, ended, 0, bytes.subarray(0, 1_000))).status, 204);
    const left = await keysOfParts();
    t.same(await sizesOf(left), [1_000]);
    t.equal((await media.send(admin, ended, { method: 'DELETE', headers: tusHeaders })).status, 204);
    await waitFor(async () => (await partKeys(media)).length === 0);
    t.same(await sizesOf(left), [undefined], 'the pieces of a terminated upload are deleted');
    return undefined;
  });
