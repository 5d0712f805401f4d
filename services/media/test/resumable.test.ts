import { createHash, randomBytes } from 'node:crypto';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { sample } from './samples.ts';
import { dataOf, type Media, startMedia } from './start-media.ts';
import {
  byteHeaders,
  bytesOnDisk,
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
const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const codeOf = async (response: Response) => {
  const { code, details } = await jsonOf(response);
  return { status: response.status, code, ...(details && { details }) };
};
const partsLeft = async (media: Media) => (await partKeys(media)).length;

t.test('a video is uploaded in pieces and takes the same way as one in a form', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const bytes = sample('mp4', 3 * mebibyte);
  const created = await create(media, admin, videoUploads(topic.id), bytes.length, { filename: 'lesson.mp4' });
  t.equal(created.status, 201);
  t.equal(created.headers.get('tus-resumable'), '1.0.0');
  t.equal(created.headers.get('upload-offset'), '0');
  const expires = Date.parse(created.headers.get('upload-expires') ?? '') - Date.now();
  t.ok(Math.abs(expires - 24 * 3_600_000) < 60_000);
  const path = created.headers.get('location') ?? '';
  t.match(path, new RegExp(`^${videoUploads(topic.id)}/[a-z0-9]{24}$`));

  const early = await media.send(admin, `${path}/result`);
  t.equal(early.status, 202);
  t.match(await jsonOf(early), { success: true, data: { status: 'receiving', offset: 0, length: bytes.length } });

  const first = await patch(media, admin, path, 0, bytes.subarray(0, mebibyte));
  t.equal(first.status, 204);
  t.equal(first.headers.get('upload-offset'), String(mebibyte));
  const head = await media.send(admin, path, { method: 'HEAD', headers: tusHeaders });
  t.equal(head.status, 200);
  t.match(Object.fromEntries(head.headers), {
    'upload-offset': String(mebibyte),
    'upload-length': String(bytes.length),
    'upload-metadata': 'filename bGVzc29uLm1wNA==',
    'cache-control': 'no-store',
  });
  const last = await patch(media, admin, path, mebibyte, bytes.subarray(mebibyte));
  t.equal(last.status, 204);
  t.equal(last.headers.get('x-lms-upload-finished'), '1');

  const result = await resultOf(media, admin, path);
  t.equal(result.status, 200);
  t.equal(result.headers.get('x-lms-upload-finished'), null, 'an upload counts once');
  const { success, data } = await jsonOf(result);
  t.equal(success, true);
  t.match(data, {
    topicId: topic.id,
    videoUrl: String,
    video: { fileName: 'lesson.mp4', mimeType: 'video/mp4', size: bytes.length, checksum: sha256(bytes) },
  });
  t.equal(topic.video?.video.id, data.video.id);
  const download = await media.send(admin, `/api/education/topics/${topic.id}/video`);
  t.ok(Buffer.from(await download.arrayBuffer()).equals(bytes));
  t.equal(await offsetOf(media, admin, path), bytes.length);
  t.same(await media.events(), ['media.video.uploaded']);
  await waitFor(async () => (await partsLeft(media)) === 0, { until: 'no pieces' });
  await media.waitForObjects(1);
});

t.test('a document may be sent with its creation', async (t) => {
  const media = await startMedia(t);
  const mentor = testPrincipal(['MENTOR']);
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  const bytes = Buffer.from('%PDF-1.7 a handout');
  const metadata = { filename: 'étude.pdf', topicId: topic.id, name: 'Handout', description: 'Read it' };
  const created = await create(media, mentor, documentUploads, bytes.length, metadata, {}, bytes);
  t.equal(created.status, 201);
  t.equal(created.headers.get('upload-offset'), String(bytes.length));
  t.equal(created.headers.get('x-lms-upload-finished'), '1');
  const result = await resultOf(media, mentor, created.headers.get('location') ?? '');
  t.equal(result.status, 201);
  const { name, description, fileName, mimeType, checksum } = topic.documents[0] ?? {};
  t.same(
    { name, description, fileName, mimeType, checksum },
    {
      ...{ name: 'Handout', description: 'Read it', fileName: 'étude.pdf' },
      mimeType: 'application/pdf',
      checksum: sha256(bytes),
    },
  );
  t.match(await dataOf(result), { id: topic.documents[0]?.id });

  const unnamed = await createPath(
    media,
    mentor,
    documentUploads,
    3,
    { filename: 'a.txt', topicId: topic.id },
    {},
    Buffer.from('abc'),
  );
  await resultOf(media, mentor, unnamed);
  t.equal(topic.documents[1]?.name, 'a.txt');
});

t.test('what arrives before a connection is cut is durable', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const bytes = sample('webm', 12 * mebibyte);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length, { filename: 'a.webm' });
  let offset = 0;
  for (const size of [100_000, 2 * mebibyte, 9 * mebibyte]) {
    const sending = startPatch(media, admin, path, offset, bytes.length - offset);
    await sending.write(bytes.subarray(offset, offset + size));
    // Not before it was received: a reset discards what the server has not read.
    const end = offset + size;
    await waitFor(async () => (await bytesOnDisk(media)) >= end, { until: `${end} bytes` });
    sending.cut();
    offset = await offsetOf(media, admin, path);
    t.equal(offset, end);
  }
  t.equal((await patch(media, admin, path, offset, bytes.subarray(offset))).status, 204);
  const { data } = await jsonOf(await resultOf(media, admin, path));
  t.equal(data.video.checksum, sha256(bytes));
  await media.waitForObjects(1);
});

t.test('the headers of the protocol are checked', async (t) => {
  const media = await startMedia(t, { maxVideoBytes: 1_000 });
  const topic = media.content.addTopic();
  const url = videoUploads(topic.id);
  const options = await media.send(null, url, { method: 'OPTIONS' });
  t.equal(options.status, 204);
  t.match(Object.fromEntries(options.headers), {
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,expiration,checksum,termination',
    'tus-max-size': '1000',
    'tus-checksum-algorithm': 'sha1,sha256',
  });
  const path = await createPath(media, admin, url, 100);
  const bytes = Buffer.alloc(10);

  for (const [method, target] of [
    ['POST', url],
    ['HEAD', path],
    ['PATCH', path],
    ['DELETE', path],
  ] as const)
    for (const headers of [{}, { 'tus-resumable': '0.2.2' }]) {
      const response = await media.send(admin, target, { method, headers });
      t.equal(response.status, 412, method);
      t.equal(response.headers.get('tus-version'), '1.0.0');
      if (method !== 'HEAD') t.match(await jsonOf(response), { success: false, code: 'PRECONDITION_FAILED' });
    }

  const refused = async (sent: Promise<Response>, status: number, code: string, details?: object) =>
    t.match(await codeOf(await sent), { status, code, ...(details && { details }) });
  const post = (headers: Record<string, string>, body?: Buffer) =>
    media.send(admin, url, { method: 'POST', headers: { ...tusHeaders, ...headers }, ...(body && { body }) });
  await refused(post({}), 400, 'VALIDATION_ERROR', { field: 'Upload-Length' });
  await refused(post({ 'upload-length': '-1' }), 400, 'VALIDATION_ERROR', { field: 'Upload-Length' });
  await refused(post({ 'upload-defer-length': '1' }), 400, 'VALIDATION_ERROR', { field: 'Upload-Defer-Length' });
  await refused(post({ 'upload-length': '9', 'upload-concat': 'partial' }), 400, 'VALIDATION_ERROR', {
    field: 'Upload-Concat',
  });
  await refused(post({ 'upload-length': '0' }), 422, 'VALIDATION_ERROR', { field: 'Upload-Length' });
  await refused(post({ 'upload-length': '1001' }), 413, 'PAYLOAD_TOO_LARGE', { maxBytes: 1_000 });
  for (const metadata of ['filename ???', 'a b c', 'filename YQ==,filename YQ==', 'filename /w=='])
    await refused(post({ 'upload-length': '9', 'upload-metadata': metadata }), 400, 'VALIDATION_ERROR', {
      field: 'Upload-Metadata',
    });
  await refused(post({ 'upload-length': '9', 'content-type': 'text/plain' }, bytes), 415, 'UNSUPPORTED_MEDIA_TYPE');

  const send = (headers: Record<string, string>, body = bytes) =>
    media.send(admin, path, { method: 'PATCH', headers, body });
  await refused(send({ ...tusHeaders, 'upload-offset': '0' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  await refused(send(byteHeaders), 400, 'VALIDATION_ERROR', { field: 'Upload-Offset' });
  for (const offset of ['', '-1', '+0', '0.5', '1e1', '0x0', ' ', 'all', '9'.repeat(16)])
    await refused(send({ ...byteHeaders, 'upload-offset': offset }), 400, 'VALIDATION_ERROR', {
      field: 'Upload-Offset',
    });
  const conflict = { resource: 'Upload', field: 'Upload-Offset', value: 0 };
  for (const offset of ['5', '100', '101', '999999999999999'])
    await refused(send({ ...byteHeaders, 'upload-offset': offset }), 409, 'CONFLICT', conflict);
  await refused(send({ ...byteHeaders, 'upload-offset': '0' }, Buffer.alloc(101)), 413, 'PAYLOAD_TOO_LARGE');
  for (const value of ['md5 x', 'sha1 x', `sha256 ${Buffer.alloc(20).toString('base64')}`, 'sha1'])
    await refused(send({ ...byteHeaders, 'upload-offset': '0', 'upload-checksum': value }), 400, 'VALIDATION_ERROR', {
      field: 'Upload-Checksum',
    });

  const chunked = startPatch(media, admin, path, 0);
  await chunked.write(Buffer.alloc(101));
  chunked.end();
  t.equal(await chunked.response, 413);
  t.equal(await offsetOf(media, admin, path), 0);
  await waitFor(async () => (await partsLeft(media)) === 0);
  t.same(await media.files(), []);

  t.equal((await patch(media, admin, path, 0, Buffer.alloc(100))).status, 204);
  t.equal(
    (await patch(media, admin, path, 100, Buffer.alloc(0))).status,
    204,
    'a request without bytes changes nothing',
  );
  await refused(send({ ...byteHeaders, 'upload-offset': '100' }), 413, 'PAYLOAD_TOO_LARGE', { maxBytes: 100 });
});

t.test('bytes with a wrong checksum do not count', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const bytes = Buffer.concat([sample('mp4', 9 * mebibyte), randomBytes(100)]);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  for (const algorithm of ['sha1', 'sha256'] as const) {
    const wrong = { 'upload-checksum': checksum(algorithm, Buffer.from('others')) };
    const refused = await patch(media, admin, path, 0, bytes, wrong);
    t.match(await codeOf(refused), { status: 460, code: 'CHECKSUM_MISMATCH' });
    t.equal(await offsetOf(media, admin, path), 0);
  }
  t.same(await media.files(), []);
  const half = 4 * mebibyte;
  const first = { 'upload-checksum': checksum('sha1', bytes.subarray(0, half)) };
  t.equal((await patch(media, admin, path, 0, bytes.subarray(0, half), first)).status, 204);
  const second = { 'upload-checksum': checksum('sha256', bytes.subarray(half)) };
  t.equal((await patch(media, admin, path, half, bytes.subarray(half), second)).status, 204);
  const { data } = await jsonOf(await resultOf(media, admin, path));
  t.equal(data.video.checksum, sha256(bytes));
});

t.test('of two writers at once, one waits and is refused', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const bytes = sample('mp4', 200_000);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  const first = startPatch(media, admin, path, 0, bytes.length);
  await first.write(bytes.subarray(0, 100_000));
  await waitFor(async () => (await bytesOnDisk(media)) >= 100_000);
  const second = await patch(media, admin, path, 0, bytes);
  t.match(await codeOf(second), { status: 423, code: 'LOCKED' });
  t.equal((await media.send(admin, path, { method: 'HEAD', headers: tusHeaders })).status, 200);
  await first.write(bytes.subarray(100_000));
  first.end();
  t.equal(await first.response, 204);
  t.equal((await resultOf(media, admin, path)).status, 200);

  const contested = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  const statuses = await Promise.all(
    [1, 2, 3, 4].map(async () => (await patch(media, admin, contested, 0, bytes)).status),
  );
  t.same(statuses.toSorted(), [204, 409, 409, 409]);
  const { data } = await jsonOf(await resultOf(media, admin, contested));
  t.equal(data.video.checksum, sha256(bytes));
  await media.waitForObjects(1);
});

t.test('an upload is invisible to others, and can be terminated', async (t) => {
  const media = await startMedia(t);
  const [topic, elsewhere] = [media.content.addTopic(), media.content.addTopic()];
  const bytes = sample('mp4', 1_000);
  const path = await createPath(media, admin, videoUploads(topic.id), bytes.length);
  t.equal((await patch(media, admin, path, 0, bytes.subarray(0, 500))).status, 204);
  const other = testPrincipal(['ADMIN']);
  const document = path.replace(videoUploads(topic.id), documentUploads);
  const moved = path.replace(topic.id, elsewhere.id);
  const unknown = path.replace(/[^/]+$/, topic.id);
  for (const [user, target] of [
    [other, path],
    [admin, document],
    [admin, moved],
    [admin, unknown],
    [admin, `${videoUploads(topic.id)}/nothing`],
  ] as const) {
    t.equal((await media.send(user, target, { method: 'HEAD', headers: tusHeaders })).status, 404, target);
    t.match(await codeOf(await patch(media, user, target, 500, bytes.subarray(500))), {
      status: 404,
      code: 'NOT_FOUND',
    });
    t.equal((await media.send(user, target, { method: 'DELETE', headers: tusHeaders })).status, 404);
    t.equal((await media.send(user, `${target}/result`)).status, 404);
  }
  for (const [user, status] of [
    [null, 401],
    [testPrincipal(['LEARNER']), 403],
  ] as const)
    t.equal((await media.send(user, path, { method: 'HEAD', headers: tusHeaders })).status, status);

  const sending = startPatch(media, admin, path, 500, 500);
  await sending.write(Buffer.alloc(0));
  const held = () => media.database.sql`select from resumable_uploads where holder is not null`;
  await waitFor(async () => (await held()).length > 0, { until: 'the request to be accepted' });
  t.equal((await media.send(admin, path, { method: 'DELETE', headers: tusHeaders })).status, 204);
  t.equal((await media.send(admin, path, { method: 'HEAD', headers: tusHeaders })).status, 404);
  await waitFor(async () => (await media.database.sql`select id from resumable_uploads`).length === 0);
  await sending.write(bytes.subarray(500));
  t.equal(await sending.response, 404, 'a request that has waited for its bytes');
  t.same(await media.files(), []);
});
