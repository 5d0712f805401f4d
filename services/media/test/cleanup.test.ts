import { join } from 'node:path';
import { passportHeader } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { connect } from '@lms/database/connect';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { startTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { createDerivedObjects } from '../src/objects/derived-objects.ts';
import { objectRepository } from '../src/objects/repository.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { sample } from './samples.ts';
import { startVideoUpload } from './slow-upload.ts';
import { dataOf, file, form, type Media, migrations, startMedia } from './start-media.ts';
import { inChunks } from './storage-contract.ts';

const admin = testPrincipal(['ADMIN']);
const fast = { reaperIntervalMs: 50 };
const uploadDocument = (media: Media, topicId: string, user = admin) =>
  media.send(
    user,
    '/api/s3/document/upload',
    form(['file', file('hello', 'a.txt')], ['topicId', topicId], ['metadata', '{}']),
  );
const uploadVideo = (media: Media, topicId: string, bytes: Buffer) =>
  media.send(admin, `/api/admin/education/topics/${topicId}/video`, {
    ...form(['video', file(bytes, 'a.mp4')]),
    method: 'PUT',
  });
/** Ends all leases. */
const expireLeases = (media: Media) => media.database.sql`update objects set due_at = now() - interval '1 second'`;

t.test('objects left by a crash are cleared; ready objects are not', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  t.equal((await uploadDocument(media, topic.id)).status, 201);
  const storage = createFileStorage(media.root);
  // One process crashed while it received bytes, another before it asked content to attach the object.
  for (const status of ['receiving', 'offered']) {
    const key = `video-${createId()}`;
    await storage.put(key, inChunks(Buffer.from('half')));
    await media.database.sql`
      insert into objects (id, kind, status, key, file_name, uploaded_by, topic_id, passport)
      values (${createId()}, 'video', ${status}, ${key}, 'a.mp4', 'a-user', ${topic.id}, ${passportHeaders(admin)[passportHeader] ?? ''})`;
  }
  await expireLeases(media);
  await media.waitForObjects(1);
  t.match(await media.rows(), [{ status: 'ready' }]);
  const [entry] = topic.documents;
  t.equal((await media.send(admin, `/api/s3/document/stream?key=${entry?.key}`)).status, 200);
});

t.test('the reaper skips objects with a current lease', async (t) => {
  const media = await startMedia(t, fast);
  const [row] = await media.database.sql`
    insert into objects (id, kind, key, file_name, uploaded_by, due_at)
    values (${createId()}, 'video', ${`video-${createId()}`}, 'a.mp4', 'a-user', now() + interval '2 seconds')
    returning due_at`;
  await waitFor(async () => (await media.rows()).length === 0);
  const [after] = await media.database.sql`select now() >= ${row?.due_at} as waited`;
  t.equal(after?.waited, true);
});

t.test(
  'a document is withdrawn if the response of content was lost, even if its uploader may not manage the topic any more',
  async (t) => {
    const media = await startMedia(t, fast);
    const mentor = testPrincipal(['MENTOR']);
    const topic = media.content.addTopic({ mentorId: mentor.userId });
    media.content.intercept(async ({ method, path }, apply, response) => {
      if (method !== 'POST' || !path.endsWith('/documents')) return false;
      await apply();
      response.destroy();
      return true;
    });
    t.equal((await uploadDocument(media, topic.id, mentor)).status, 503);
    topic.mentorId = null;
    t.equal(topic.documents.length, 1);
    const download = await media.send(admin, `/api/s3/document/stream?key=${topic.documents[0]?.key}`);
    t.equal(download.status, 200, 'what content shows can be read until it is withdrawn');
    media.content.stopIntercepting();
    await expireLeases(media);
    await media.waitForObjects(0);
    t.same(await media.events(), ['media.document.removed']);
    t.match(await media.database.sql`select data from outbox`, [
      { data: { ...topic.documents[0], topicId: topic.id } },
    ]);
  },
);

t.test('a video is withdrawn in favour of the previous one if the response of content was lost', async (t) => {
  const media = await startMedia(t, fast);
  const [topic, empty] = [media.content.addTopic(), media.content.addTopic()];
  t.equal((await uploadVideo(media, topic.id, sample('mp4', 1_000))).status, 200);
  const before = topic.video;
  media.content.intercept(async ({ method, path }, apply, response) => {
    if (method !== 'PUT' || !path.endsWith('/video')) return false;
    await apply();
    response.destroy();
    return true;
  });
  for (const { id } of [topic, empty]) t.equal((await uploadVideo(media, id, sample('mp4', 2_000))).status, 503);
  t.not(topic.video?.video.id, before?.video.id);
  media.content.stopIntercepting();
  await expireLeases(media);
  await media.waitForObjects(1);
  const withdrawn = await media.database.sql`select data from outbox where type = 'media.video.removed'`;
  for (const [{ id, video }, current] of [
    [topic, before],
    [empty, null],
  ] as const) {
    const event = withdrawn.find(({ data }) => data.topicId === id);
    t.match(event?.data, { id: video?.video.id, current });
  }
});

t.test('an upload times out if content responds too late, and is rolled back', async (t) => {
  const media = await startMedia(t, { ...fast, attachMs: 0 }, 2_000);
  const topic = media.content.addTopic();
  let attachedLate: Promise<void> | undefined;
  media.content.intercept(async ({ method, path }, apply) => {
    if (method !== 'POST' || !path.endsWith('/documents')) return false;
    attachedLate = new Promise((resolve) => setTimeout(resolve, 2_200)).then(apply);
    await attachedLate;
    return false;
  });
  t.equal((await uploadDocument(media, topic.id)).status, 503);
  t.equal((await media.rows()).length, 1, 'content may still attach it');
  await attachedLate;
  await waitFor(() => topic.documents.length === 1);
  media.content.stopIntercepting();
  await expireLeases(media);
  await media.waitForObjects(0);
  t.same(await media.events(), ['media.document.removed']);
});

t.test('a removal is completed if the response of content was lost', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  await uploadVideo(media, topic.id, sample('mp4', 1_000));
  media.content.intercept(async ({ method }, apply, response) => {
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
  await expireLeases(media);
  await media.waitForObjects(0);
  t.match(topic, { documents: [], video: null });
  t.same((await media.events()).toSorted(), [
    'media.document.removed',
    'media.document.uploaded',
    'media.video.removed',
    'media.video.uploaded',
  ]);
});

t.test('a removal that did not reach content is completed without the user', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  media.content.intercept(async ({ method }, _apply, response) => {
    if (method !== 'DELETE') return false;
    response.destroy();
    return true;
  });
  const path = `/api/admin/education/topics/${topic.id}/documents/${entry.id}`;
  t.equal((await media.send(admin, path, { method: 'DELETE' })).status, 503);
  const download = await media.send(admin, `/api/s3/document/stream?key=${entry.key}`);
  t.equal(download.status, 200, 'the document is readable until then');
  t.match(await media.rows(), [{ status: 'removing', passport: null }]);
  await expireLeases(media);
  await media.waitForObjects(0);
  t.same(await media.events(), ['media.document.uploaded', 'media.document.removed']);
});

t.test('so is one whose topic was deleted meanwhile', async (t) => {
  const media = await startMedia(t, fast);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  media.content.intercept(async ({ method }) => {
    if (method === 'DELETE') media.content.topics.delete(topic.id);
    return false;
  });
  const path = `/api/admin/education/topics/${topic.id}/documents/${entry.id}`;
  t.equal((await media.send(admin, path, { method: 'DELETE' })).status, 404);
  await expireLeases(media);
  await media.waitForObjects(0);
  t.same(await media.events(), ['media.document.uploaded', 'media.document.removed']);
});

t.test('concurrent removals of a document remove it once', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const entry = await dataOf(await uploadDocument(media, topic.id));
  const path = `/api/admin/education/topics/${topic.id}/documents/${entry.id}`;
  const responses = await Promise.all([1, 2, 3].map(() => media.send(admin, path, { method: 'DELETE' })));
  t.ok(responses.every(({ status }) => [200, 404].includes(status)));
  t.ok(responses.some(({ status }) => status === 200));
  await media.waitForObjects(0);
  t.same(await media.events(), ['media.document.uploaded', 'media.document.removed']);
});

t.test('a deletion that fails in storage is retried', async (t) => {
  const files = createFileStorage(t.testdir());
  let isFailing = true;
  const attempts: string[] = [];
  const media = await startMedia(t, {
    ...fast,
    storage: {
      ...files,
      async remove(key) {
        attempts.push(key);
        if (isFailing) throw new Error('the disk is busy');
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
  isFailing = false;
  await expireLeases(media);
  await waitFor(async () => (await media.rows()).length === 0);
  t.equal(await files.stat(entry.key), undefined);
});

t.test('a database outage during an upload returns 503; the object is cleared once the database is back', async (t) => {
  const directDatabase = await testDatabase(t, migrations);
  const proxy = await startTcpProxy(t, directDatabase.url);
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
  await directDatabase.sql`update objects set due_at = now()`;
  await waitFor(async () => (await directDatabase.sql`select 1 from objects`).length === 0);
  t.same(await media.files(), []);
});

t.test('an upload to storage that is not writable returns 503 and leaves nothing', async (t) => {
  const media = await startMedia(t, { storage: createFileStorage('/dev/null/nowhere') });
  const topic = media.content.addTopic();
  const response = await uploadVideo(media, topic.id, sample('mp4', 100_000));
  t.equal(response.status, 503);
  t.match(response.headers.get('retry-after'), /^\d+$/);
  t.match(await response.json(), { code: 'SERVICE_UNAVAILABLE' });
  t.equal(topic.video, null);
});

t.test('an upload that the reaper has deleted leaves no bytes', async (t) => {
  const files = createFileStorage(t.testdir());
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const storage = {
    ...files,
    async put(...given: Parameters<typeof files.put>) {
      await released;
      await files.put(...given);
    },
  };
  const media = await startMedia(t, { storage, ...fast });
  const topic = media.content.addTopic();
  const uploading = uploadVideo(media, topic.id, sample('mp4', 1_000));
  await waitFor(async () => (await media.rows()).length === 1);
  // As after an outage of the database, in which no lease is renewed.
  await expireLeases(media);
  await waitFor(async () => (await media.rows()).length === 0);
  release();
  t.equal((await uploading).status, 503);
  for await (const batch of files.list()) t.same(batch, []);
});

t.test('bytes lost in storage are detected before content attaches the object', async (t) => {
  const files = createFileStorage(t.testdir());
  const media = await startMedia(t, { storage: { ...files, stat: async () => ({ size: 1 }) } });
  const topic = media.content.addTopic();
  t.equal((await uploadDocument(media, topic.id)).status, 503);
  t.same(topic.documents, []);
  await media.waitForObjects(0);
});

t.test('an entry that content shows can be removed, whatever has become of its object', async (t) => {
  const media = await startMedia(t, fast);
  const [topic, failed] = [media.content.addTopic(), media.content.addTopic()];
  const entry = await dataOf(await uploadDocument(media, topic.id));
  t.equal((await uploadVideo(media, topic.id, sample('mp4', 1_000))).status, 200);
  await media.database.sql`delete from objects`;
  media.content.intercept(async ({ method, path }, apply, response) => {
    if (!['POST', 'PUT'].includes(method) || path.endsWith('/access')) return false;
    await apply();
    response.destroy();
    return true;
  });
  t.equal((await uploadDocument(media, failed.id)).status, 503);
  t.equal((await uploadVideo(media, failed.id, sample('mp4', 1_000))).status, 503);
  media.content.stopIntercepting();
  for (const [{ id }, documentId] of [
    [topic, entry.id],
    [failed, failed.documents[0]?.id],
  ] as const)
    for (const path of [`documents/${documentId}`, 'video']) {
      const remove = () => media.send(admin, `/api/admin/education/topics/${id}/${path}`, { method: 'DELETE' });
      t.equal((await remove()).status, 200, path);
      t.equal((await remove()).status, 404);
    }
  for (const { documents, video } of [topic, failed]) t.same({ documents, video }, { documents: [], video: null });
  await expireLeases(media);
  await waitFor(async () => (await media.rows()).length === 0);
});

t.test('what a job has made is not discarded after its end, which the worker may not have learned', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  t.equal((await uploadVideo(media, topic.id, sample('mp4', 1_000))).status, 200);
  const { db } = media.database;
  const video = await objectRepository(db).findVideo(topic.id);
  if (!video) throw new Error('no video');
  const derived = createDerivedObjects(db, createFileStorage(media.root), { ...video, topicId: topic.id });
  const path = join(t.testdir({ poster: 'a picture' }), 'poster');
  const poster = { kind: 'poster', path, fileName: 'poster.jpg', mimeType: 'image/jpeg' } as const;
  await derived.store(poster, new AbortController().signal);
  await db.transaction((tx) => derived.finalize(tx));
  await derived.discard();
  await media.waitForObjects(2);

  const failed = createDerivedObjects(db, createFileStorage(media.root), { ...video, topicId: topic.id });
  await failed.store(poster, new AbortController().signal);
  t.equal((await media.files()).length, 3);
  await failed.discard();
  await media.waitForObjects(2);

  const files = createFileStorage(media.root);
  const put: typeof files.put = async (...given) => {
    await media.database.sql`delete from objects where status = 'receiving'`;
    await files.put(...given);
  };
  const late = createDerivedObjects(db, { ...files, put }, { ...video, topicId: topic.id });
  await t.rejects(late.store(poster, new AbortController().signal), { message: /was discarded/ });
  await media.waitForObjects(2);
});
