import { createHash } from 'node:crypto';
import { untilLocked } from '@lms/testing/database';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { sample } from './samples.ts';
import { startVideoUpload } from './slow-upload.ts';
import { dataOf, file, form, type Media, startMedia } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);
const upload = (media: Media, topicId: string, bytes: Buffer) =>
  media.send(admin, `/api/admin/education/topics/${topicId}/video`, {
    ...form(['video', file(bytes, 'a.mp4')]),
    method: 'PUT',
  });
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A video whose bytes after the signature all equal `number`. */
const version = (number: number) => sample('mp4', 600_000).fill(number, 100);

t.test('readers during a replacement see either video, never a mix', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const watch = `/api/education/topics/${topic.id}/video`;
  const versions = new Map(Array.from({ length: 8 }, (_, at) => [hashOf(version(at)), at]));
  await upload(media, topic.id, version(0));

  let isOver = false;
  const seen = new Set<number>();
  const readWhole = async () => {
    while (!isOver) {
      const response = await media.send(admin, watch);
      t.equal(response.status, 200);
      const hash = hashOf(new Uint8Array(await response.arrayBuffer()));
      t.equal(response.headers.get('etag'), `"${hash}"`);
      seen.add(versions.get(hash) ?? -1);
    }
  };
  // Resumes in the middle, as a player does: the second part belongs to the same video, or the whole new video is sent.
  const readInParts = async () => {
    while (!isOver) {
      const first = await media.send(admin, watch, { headers: { range: 'bytes=0-299999' } });
      const half = Buffer.from(await first.arrayBuffer());
      const ifRange = String(first.headers.get('etag'));
      const second = await media.send(admin, watch, { headers: { range: 'bytes=300000-', 'if-range': ifRange } });
      const rest = Buffer.from(await second.arrayBuffer());
      t.ok(versions.has(hashOf(second.status === 206 ? Buffer.concat([half, rest]) : rest)));
    }
  };
  const readers = [readWhole(), readWhole(), readInParts(), readInParts()];
  for (let number = 1; number < versions.size; number += 1) {
    t.equal((await upload(media, topic.id, version(number))).status, 200);
    // Meanwhile, the readers take all the processor time that there is.
    await waitFor(() => seen.has(number), { everyMs: 5 });
  }
  isOver = true;
  await Promise.all(readers);
  t.notOk(seen.has(-1));
  await media.waitForObjects(1);
});

t.test('after concurrent replacements, content and media agree on the current video', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  for (let round = 0; round < 4; round += 1) {
    const responses = await Promise.all(
      [0, 1, 2].map((number) => upload(media, topic.id, version(round * 3 + number))),
    );
    const uploaded = await Promise.all(responses.map(async (response) => Object(await dataOf(response)).video));
    const [row] = await media.database.sql`select id from objects where status = 'ready'`;
    t.equal(topic.video?.video.id, row?.id);
    const current = uploaded.find(({ id }) => id === row?.id);
    const read = await media.send(admin, `/api/education/topics/${topic.id}/video`);
    t.equal(`sha256:${hashOf(new Uint8Array(await read.arrayBuffer()))}`, current.checksum);
    await media.waitForObjects(1);
  }
});

t.test('successive videos of a topic differ in Last-Modified', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const seconds: string[] = [];
  for (let number = 0; number < 3; number += 1) {
    await upload(media, topic.id, version(number));
    const head = await media.send(admin, `/api/education/topics/${topic.id}/video`, { method: 'HEAD' });
    seconds.push(String(head.headers.get('last-modified')));
  }
  t.equal(new Set(seconds).size, 3);
});

t.test('a failed replacement leaves the previous video unchanged', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  await upload(media, topic.id, version(1));
  const before = topic.video;

  const broken = await startVideoUpload(media, admin, topic.id, version(2));
  await waitFor(async () => (await media.files()).length === 2);
  broken.request.destroy();
  await media.waitForObjects(1);
  const mismatched = await media.send(admin, `/api/admin/education/topics/${topic.id}/video`, {
    ...form(['video', file(sample('mkv', 1_000), 'a.mp4')]),
    method: 'PUT',
  });
  t.equal(mismatched.status, 400);

  t.same(topic.video, before);
  const read = await media.send(admin, `/api/education/topics/${topic.id}/video`);
  t.same(Buffer.from(await read.arrayBuffer()), version(1));
});

t.test('a video is removed that another one replaces meanwhile', async (t) => {
  const media = await startMedia(t);
  const { id } = media.content.addTopic();
  const { video: before } = Object(await dataOf(await upload(media, id, version(0))));
  const { removing } = await media.database.sql.begin(async (sql) => {
    await sql`select from objects where id = ${before.id} for update`;
    const removing = media.send(admin, `/api/admin/education/topics/${id}/video`, { method: 'DELETE' });
    await untilLocked(media.database);
    await sql`update objects set status = 'discarded' where id = ${before.id}`;
    await sql`
      insert into objects (id, kind, status, key, file_name, uploaded_by, topic_id, size, checksum, mime_type, uploaded_at)
      select 'replacement', kind, 'ready', 'video-of-the-replacement', file_name, uploaded_by, topic_id, size, checksum,
        mime_type, now() from objects where id = ${before.id}`;
    return { removing };
  });
  const removed = await removing;
  t.equal(removed.status, 200);
  t.equal((await dataOf(removed)).id, before.id);
  t.match(await media.database.sql`select id from objects where status = 'ready'`, [{ id: 'replacement' }]);
});

t.test('after a concurrent upload and removal, content and media agree', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  for (let round = 0; round < 4; round += 1) {
    await upload(media, topic.id, version(0));
    const [uploaded, removed] = await Promise.all([
      upload(media, topic.id, version(1)),
      media.send(admin, `/api/admin/education/topics/${topic.id}/video`, { method: 'DELETE' }),
    ]);
    t.equal(uploaded.status, 200);
    t.ok([200, 404].includes(removed.status));
    await waitFor(async () => (await media.rows()).every(({ status }) => status === 'ready'));
    const ready = (await media.rows()).map(({ id }) => id);
    t.same(ready, topic.video ? [topic.video.video.id] : []);
    await media.waitForObjects(ready.length);
  }
});
