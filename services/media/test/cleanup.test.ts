import { passportHeader } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { connect } from '@lms/database/connect';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { startTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { createFileStorage } from '../src/storage/file.ts';
import { sample } from './samples.ts';
import { startVideoUpload } from './slow-upload.ts';
import { dataOf, file, form, type Media, migrations, startMedia } from './start-media.ts';
import { inChunks } from './storage-contract.ts';

const admin = testPrincipal(['ADMIN']);
const fast = { reaperIntervalMs: 50 };
const uploadDocument = (media: Media, topicId: string) =>
  media.send(
    admin,
    '/api/s3/document/upload',
    form(['file', file('hello', 'a.txt')], ['topicId', topicId], ['metadata', '{}']),
  );
const uploadVideo = (media: Media, topicId: string, bytes: Buffer) =>
  media.send(admin, `/api/admin/education/topics/${topicId}/video`, {
    ...form(['video', file(bytes, 'a.mp4')]),
    method: 'PUT',
  });
/** As if all leases had run out. */
const later = (media: Media) => media.database.sql`update objects set due_at = now() - interval '1 second'`;

t.test('what a crash leaves is cleared, and what is ready never', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  t.equal((await uploadDocument(media, topic.id)).status, 201);
  const storage = createFileStorage(media.root);
  // A process that died while bytes came in, and one that died before content was asked.
  for (const status of ['receiving', 'offered']) {
    const key = `video-${createId()}`;
    await storage.put(key, inChunks(Buffer.from('half')));
    await media.database.sql`
      insert into objects (id, kind, status, key, file_name, uploaded_by, topic_id, passport)
      values (${createId()}, 'video', ${status}, ${key}, 'a.mp4', 'somebody', ${topic.id}, ${passportHeaders(admin)[passportHeader] ?? ''})`;
  }
  await later(media);
  await media.waitForObjects(1);
  t.match(await media.rows(), [{ status: 'ready' }]);
  const [entry] = topic.documents;
  t.equal((await media.send(admin, `/api/s3/document/stream?key=${entry?.key}`)).status, 200);
});

t.test('what is still being worked on is left alone', async (t) => {
  const media = await startMedia(t, fast);
  await media.database.sql`
    insert into objects (id, kind, key, file_name, uploaded_by, due_at)
    values (${createId()}, 'video', ${`video-${createId()}`}, 'a.mp4', 'somebody', now() + interval '2 seconds')`;
  const [row] = await media.database.sql`select now() as since`;
  await waitFor(async () => (await media.rows()).length === 0);
  const [after] = await media.database.sql`select now() - ${row?.since} >= interval '1.5 seconds' as waited`;
  t.equal(after?.waited, true);
});

t.test('an entry that content took without our hearing of it is taken off again', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  media.content.interfere(async ({ method, path }, apply, response) => {
    if (method !== 'POST' || !path.endsWith('/documents')) return false;
    await apply();
    response.destroy();
    return true;
  });
  t.equal((await uploadDocument(media, topic.id)).status, 503);
  t.equal(topic.documents.length, 1);
  t.equal((await media.send(admin, `/api/s3/document/stream?key=${topic.documents[0]?.key}`)).status, 404);
  media.content.stopIntercepting();
  await later(media);
  await media.waitForObjects(0);
  t.same(topic.documents, []);
  t.same(await media.events(), []);
});

t.test('a video that content took without our hearing of it gives way to the one before', async (t) => {
  const media = await startMedia(t, fast);
  const [topic, empty] = [media.content.addTopic(), media.content.addTopic()];
  t.equal((await uploadVideo(media, topic.id, sample('mp4', 1_000))).status, 200);
  const before = topic.video;
  media.content.interfere(async ({ method, path }, apply, response) => {
    if (method !== 'PUT' || !path.endsWith('/video')) return false;
    await apply();
    response.destroy();
    return true;
  });
  for (const { id } of [topic, empty]) t.equal((await uploadVideo(media, id, sample('mp4', 2_000))).status, 503);
  t.not(topic.video?.video.id, before?.video.id);
  media.content.stopIntercepting();
  await later(media);
  await media.waitForObjects(1);
  t.same(topic.video, before);
  t.equal(empty.video, null);
});

t.test('an offer that content takes too long over is not waited for, and is taken back', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  let takenLate: Promise<void> | undefined;
  media.content.interfere(async ({ method, path }, apply) => {
    if (method !== 'POST' || !path.endsWith('/documents')) return false;
    takenLate = new Promise((resolve) => setTimeout(resolve, 2_200)).then(apply);
    await takenLate;
    return false;
  });
  t.equal((await uploadDocument(media, topic.id)).status, 503);
  t.equal((await media.rows()).length, 1, 'content may still take it');
  await takenLate;
  await waitFor(() => topic.documents.length === 1);
  media.content.stopIntercepting();
  await later(media);
  await media.waitForObjects(0);
  t.same(topic.documents, []);
});

t.test('a removal whose answer was lost is brought to its end', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  await uploadVideo(media, topic.id, sample('mp4', 1_000));
  media.content.interfere(async ({ method }, apply, response) => {
    if (method !== 'DELETE') return false;
    await apply();
    response.destroy();
    return true;
  });
  for (const path of [`documents/${entry.id}`, 'video']) {
    const removed = await media.send(admin, `/api/admin/education/topics/${topic.id}/${path}`, { method: 'DELETE' });
    t.equal(removed.status, 503);
  }
  media.content.stopIntercepting();
  await later(media);
  await media.waitForObjects(0);
  t.match(topic, { documents: [], video: null });
  t.same((await media.events()).toSorted(), [
    'media.document.removed',
    'media.document.uploaded',
    'media.video.removed',
    'media.video.uploaded',
  ]);
});

t.test('a removal that content never heard of waits until it does', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  media.content.interfere(async ({ method }, _apply, response) => {
    if (method !== 'DELETE') return false;
    response.destroy();
    return true;
  });
  const path = `/api/admin/education/topics/${topic.id}/documents/${entry.id}`;
  t.equal((await media.send(admin, path, { method: 'DELETE' })).status, 503);
  await later(media);
  await waitFor(() => media.content.asked.filter(({ method }) => method === 'DELETE').length >= 2);
  t.equal(
    (await media.send(admin, `/api/s3/document/stream?key=${entry.key}`)).status,
    200,
    'it is there until it is gone',
  );
  media.content.stopIntercepting();
  await later(media);
  await media.waitForObjects(0);
  t.same(topic.documents, []);
});

t.test('a removal waits while its topic is away, and goes on when it is back', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  media.content.interfere(async ({ method }) => {
    if (method === 'DELETE') media.content.topics.delete(topic.id);
    return false;
  });
  const path = `/api/admin/education/topics/${topic.id}/documents/${entry.id}`;
  t.equal((await media.send(admin, path, { method: 'DELETE' })).status, 404);
  media.content.stopIntercepting();
  await later(media);
  await waitFor(() => media.content.asked.filter(({ method }) => method === 'DELETE').length >= 2);
  t.equal((await media.files()).length, 1);
  media.content.topics.set(topic.id, topic);
  await later(media);
  await media.waitForObjects(0);
  t.same(topic.documents, []);
});

t.test('two who remove the same document at once remove it once', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  const path = `/api/admin/education/topics/${topic.id}/documents/${entry.id}`;
  const answers = await Promise.all([1, 2, 3].map(() => media.send(admin, path, { method: 'DELETE' })));
  t.ok(answers.every(({ status }) => [200, 404].includes(status)));
  t.ok(answers.some(({ status }) => status === 200));
  await media.waitForObjects(0);
  t.same(await media.events(), ['media.document.uploaded', 'media.document.removed']);
});

t.test('an object that the storage does not let go stays in the queue', async (t) => {
  const files = createFileStorage(t.testdir());
  let isStuck = true;
  const attempts: string[] = [];
  const media = await startMedia(t, {
    ...fast,
    storage: {
      ...files,
      async remove(key) {
        attempts.push(key);
        if (isStuck) throw new Error('the disk is busy');
        await files.remove(key);
      },
    },
  });
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  const path = `/api/admin/education/topics/${topic.id}/documents/${entry.id}`;
  t.equal((await media.send(admin, path, { method: 'DELETE' })).status, 200);
  await waitFor(() => attempts.length >= 2);
  t.match(await media.rows(), [{ status: 'discarded' }]);
  t.ok(await files.stat(entry.key));
  isStuck = false;
  await later(media);
  await waitFor(async () => (await media.rows()).length === 0);
  t.equal(await files.stat(entry.key), undefined);
});

t.test('a database that goes in mid-upload costs a 503, and what is left is cleared when it is back', async (t) => {
  const databaseOf = await testDatabase(t, migrations);
  const proxy = await startTcpProxy(t, databaseOf.url);
  const database = connect(proxy.url);
  t.teardown(database.close);
  const media = await startMedia(t, { ...fast, database });
  const topic = media.content.addTopic();
  const upload = await startVideoUpload(media, admin, topic.id, sample('mp4', 100_000));
  await waitFor(async () => (await media.files()).length === 1);
  proxy.block();
  const { status, headers } = await upload.finish();
  t.equal(status, 503);
  t.match(headers['retry-after'], /^\d+$/);
  t.equal(topic.video, null);
  proxy.unblock();
  await databaseOf.sql`update objects set due_at = now()`;
  await waitFor(async () => (await databaseOf.sql`select 1 from objects`).length === 0);
  t.same(await media.files(), []);
});

t.test('a storage that cannot be written is a 503, and nothing is left in the books', async (t) => {
  const media = await startMedia(t, { storage: createFileStorage('/dev/null/nowhere') });
  const topic = media.content.addTopic();
  const answer = await uploadVideo(media, topic.id, sample('mp4', 100_000));
  t.equal(answer.status, 503);
  t.match(answer.headers.get('retry-after'), /^\d+$/);
  t.match(await answer.json(), { code: 'SERVICE_UNAVAILABLE' });
  t.equal(topic.video, null);
});

t.test('a storage that lost bytes on the way is found out before content hears of them', async (t) => {
  const files = createFileStorage(t.testdir());
  const media = await startMedia(t, { storage: { ...files, stat: async () => ({ size: 1 }) } });
  const topic = media.content.addTopic();
  t.equal((await uploadDocument(media, topic.id)).status, 503);
  t.same(topic.documents, []);
  await media.waitForObjects(0);
});
