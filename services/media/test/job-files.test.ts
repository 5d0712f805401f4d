import { createServiceTokens } from '@lms/auth/service-tokens';
import { jobFilePath, putJobFilePath } from '@lms/contracts/internal/media';
import { serviceTokenHeader } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { passportHeaders, testPrincipal, testServiceSecret } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { checkObjects } from '../src/check-objects.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { dataOf, startMedia } from './start-media.ts';

const { userId } = testPrincipal();
const tokens = createServiceTokens(testServiceSecret);
const inAnHour = () => new Date(Date.now() + 3_600_000);
const serviceHeaders = () => ({
  [serviceTokenHeader]: tokens.callContext(userId, 'request-0001').serviceToken ?? '',
});
const octets = () => ({ ...serviceHeaders(), 'content-type': 'application/octet-stream' });

t.test('a file of a job is stored, read in ranges and deleted with the authority of a service', async (t) => {
  const media = await startMedia(t);
  const id = createId();
  const put = (body: string, expiresAt = inAnHour(), headers = octets()) =>
    media.send(null, putJobFilePath(id, { fileName: 'Course ä.zip', expiresAt }), { method: 'PUT', body, headers });
  const read = (headers: Record<string, string> = {}) =>
    media.send(null, jobFilePath(id), { headers: { ...serviceHeaders(), ...headers } });

  t.equal((await put('', inAnHour())).status, 422, 'empty');
  t.equal((await read()).status, 404);
  const stored = await put('0123456789');
  t.equal(stored.status, 201);
  t.match(await dataOf(stored), { id, size: 10, fileName: 'Course ä.zip', checksum: /^sha256:/ });
  t.match(await media.rows(), [{ id, kind: 'job-file', status: 'ready', uploaded_by: userId }]);
  t.equal(await (await read()).text(), '0123456789');
  const part = await read({ range: 'bytes=2-4' });
  t.equal(part.status, 206);
  t.equal(await part.text(), '234');
  t.equal((await put('again')).status, 409, 'an id is used once');
  t.equal(await (await read()).text(), '0123456789', 'and keeps its bytes');
  const { unreferenced, missing } = await checkObjects(media.database.db, createFileStorage(media.root));
  t.same({ unreferenced, missing }, { unreferenced: [], missing: [] });

  const learner = passportHeaders(testPrincipal());
  t.equal((await fetch(new URL(jobFilePath(id), media.url), { headers: learner })).status, 403);
  t.equal((await fetch(new URL(jobFilePath(id), media.url))).status, 401);

  const remove = () => media.send(null, jobFilePath(id), { method: 'DELETE', headers: serviceHeaders() });
  t.equal((await remove()).status, 200);
  t.equal((await remove()).status, 404);
  t.equal((await read()).status, 404);
  await media.waitForObjects(0);
});

t.test('an expired file is deleted, and an aborted one leaves nothing', async (t) => {
  const media = await startMedia(t);
  const path = (expiresAt: Date) => putJobFilePath(createId(), { fileName: 'a.zip', expiresAt });
  const [expired, kept] = [path(new Date(Date.now() - 1)), path(inAnHour())];
  for (const file of [expired, kept])
    t.equal((await media.send(null, file, { method: 'PUT', body: 'x', headers: octets() })).status, 201);
  await media.waitForObjects(1);

  const controller = new AbortController();
  const body = new ReadableStream({
    async start(stream) {
      stream.enqueue(Buffer.alloc(100_000));
      await waitFor(async () => (await media.rows()).length === 2, { until: 'the upload runs' });
      controller.abort();
    },
  });
  const init: RequestInit = { method: 'PUT', body, duplex: 'half', headers: octets(), signal: controller.signal };
  await t.rejects(media.send(null, path(inAnHour()), init));
  await media.waitForObjects(1);
});

t.test('a service uploads and removes the video and documents of a topic as a client does', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const token = serviceHeaders()[serviceTokenHeader];
  const body = new FormData();
  body.append('topicId', topic.id);
  body.append('metadata', '{}');
  body.append('file', new File(['text'], 'a.txt'));
  const upload = () =>
    media.send(null, '/api/s3/document/upload', { method: 'POST', body, headers: { [serviceTokenHeader]: token } });
  t.equal((await upload()).status, 201);
  t.match(topic.documents, [{ uploadedBy: userId, fileName: 'a.txt' }]);
  const { key } = topic.documents[0] ?? {};
  const stream = await media.send(null, `/api/s3/document/stream?key=${key}`, {
    headers: { [serviceTokenHeader]: token },
  });
  t.equal(await stream.text(), 'text');
});
