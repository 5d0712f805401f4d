import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { sample } from './samples.ts';
import { file, form, startMedia } from './start-media.ts';
import { jsonOf } from './tus.ts';

const admin = testPrincipal(['ADMIN']);
const documentForm = (topicId: string) =>
  form(['file', file('hello', 'a.txt')], ['topicId', topicId], ['metadata', '{}']);

t.test('an upload to a topic with too many documents gets the conflict of content and leaves nothing', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const details = { resource: 'Topic', field: 'documents', value: 1_000 };
  media.content.intercept(async ({ method }, _apply, response) => {
    if (method !== 'POST') return false;
    const body = { success: false, error: 'Too many', code: 'CONFLICT', details, requestId: createId() };
    response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  });
  const response = await media.send(admin, '/api/s3/document/upload', documentForm(topic.id));
  t.equal(response.status, 409);
  t.match(await jsonOf(response), { success: false, error: 'Too many', code: 'CONFLICT', details });
  await media.waitForObjects(0);
});

t.test('a file is withdrawn if content attaches it late, and has refused the next attempt', async (t) => {
  const media = await startMedia(t, { reaperIntervalMs: 50 }, 1_000);
  const mentor = testPrincipal(['MENTOR']);
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  let attachLate = async () => {};
  media.content.intercept(async ({ method }, apply) => {
    if (method === 'GET') return false;
    attachLate = apply;
    topic.mentorId = null;
    media.content.stopIntercepting();
    return new Promise<boolean>(() => undefined);
  });
  const response = await media.send(mentor, '/api/s3/document/upload', documentForm(topic.id));
  t.equal(response.status, 403);
  await response.text();
  t.match(await media.rows(), [{ status: 'offered' }], 'content may still attach it');
  topic.mentorId = mentor.userId;
  await attachLate();
  t.equal(topic.documents.length, 1);
  await media.database.sql`update objects set due_at = now() - interval '1 second'`;
  await media.waitForObjects(0);
  t.same(await media.events(), ['media.document.removed']);
});

t.test('an upload succeeds although content waits for an import, which attaches its file once', async (t) => {
  const media = await startMedia(t, {}, 1_000);
  const topic = media.content.addTopic();
  let isWriting = true;
  const waiting: (() => Promise<void>)[] = [];
  media.content.intercept(async ({ method }, apply) => {
    if (method === 'GET' || !isWriting) return false;
    // The request is carried out when the import has ended, although media does not wait for it any more.
    waiting.push(apply);
    return new Promise<boolean>(() => undefined);
  });
  const uploads = [
    media.send(admin, '/api/s3/document/upload', documentForm(topic.id)),
    media.send(admin, `/api/admin/education/topics/${topic.id}/video`, {
      ...form(['video', file(sample('mp4', 50_000), 'a.mp4')]),
      method: 'PUT',
    }),
  ];
  await waitFor(() => waiting.length >= 4, { until: 'two attempts of each upload' });
  isWriting = false;
  for (const apply of waiting) await apply();
  const statuses = (await Promise.all(uploads)).map(async (response) => {
    await response.text();
    return response.status;
  });
  t.same(await Promise.all(statuses), [201, 200]);
  t.equal(topic.documents.length, 1);
  t.ok(topic.video);
  await media.waitForObjects(2);
  t.ok((await media.rows()).every(({ status }) => status === 'ready'));
});
