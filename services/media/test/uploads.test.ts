import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { createFileStorage } from '../src/storage/file.ts';
import type { Storage } from '../src/storage.ts';
import { sample } from './samples.ts';
import {
  filePart,
  lastBoundary,
  openTextPart,
  type SlowUpload,
  startUpload,
  startVideoUpload,
  textPart,
  type UploadResponse,
} from './slow-upload.ts';
import { startMedia } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);
const documents = '/api/s3/document/upload';

t.test('a declared length over the limit returns 413 before the body is sent', async (t) => {
  const media = await startMedia(t);
  const upload = startUpload(media, admin, { path: documents, headers: { 'content-length': '5000000' } });
  upload.request.flushHeaders();
  const { status, headers, body } = await upload.response;
  t.equal(status, 413);
  t.match(headers['content-type'], /^application\/json/);
  t.match(body, { success: false, code: 'PAYLOAD_TOO_LARGE', requestId: String });
  upload.request.destroy();
  await media.waitForObjects(0);
});

t.test('a file of unknown length returns 413 as soon as it exceeds the limit', async (t) => {
  const media = await startMedia(t, { maxDocumentBytes: 100_000 });
  const topic = media.content.addTopic();
  for (const [size, status] of [
    [100_000, 201],
    [100_001, 413],
    [30_000_000, 413],
  ] as const) {
    const upload = startUpload(media, admin, { path: documents });
    const sending = (async () => {
      await upload.write(textPart('topicId', topic.id) + textPart('metadata', '{}') + filePart('file', 'a.bin'));
      for (let left = size; left > 0; left -= 65_536) await upload.write(randomBytes(Math.min(left, 65_536)));
      upload.request.end(lastBoundary);
    })().catch(() => undefined);
    const response = await upload.response;
    t.equal(response.status, status, `${size} bytes`);
    if (status === 413) t.match(response.body, { code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: 100_000 } });
    await sending;
  }
  await media.waitForObjects(1);
});

t.test('a malformed form returns 400, another media type 415', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const whole = textPart('topicId', topic.id) + textPart('metadata', '{}') + filePart('file', 'a.txt');
  const multipart = 'multipart/form-data; boundary=test-boundary';
  const cases: [title: string, contentType: string | undefined, body: string, status: number][] = [
    ['a form that ends in the middle of a file', multipart, `${whole}hello`, 400],
    ['a form that ends in the middle of a Blob', multipart, `${filePart('metadata', 'blob')}{"name":`, 400],
    ['a form that ends after a field', multipart, textPart('topicId', topic.id), 400],
    ['a form that does not contain its boundary', multipart, 'hello', 400],
    ['no boundary parameter', 'multipart/form-data', `${whole}hello${lastBoundary}`, 400],
    ['an empty boundary', 'multipart/form-data; boundary=', `${whole}hello${lastBoundary}`, 400],
    ['another multipart type', 'multipart/mixed; boundary=x', 'hello', 415],
    ['JSON', 'application/json', '{}', 415],
    ['broken JSON', 'application/json', '{', 415],
    ['bytes', 'application/octet-stream', 'hello', 415],
    ['no media type', undefined, 'hello', 415],
  ];
  for (const [title, contentType, body, status] of cases) {
    const response = await media.send(admin, documents, {
      method: 'POST',
      body: new Blob([body]),
      headers: contentType ? { 'content-type': contentType } : {},
    });
    t.equal(response.status, status, title);
    t.match(
      await response.json(),
      status === 400
        ? {
            success: false,
            code: 'VALIDATION_ERROR',
            error: 'Validation failed',
            details: { field: 'body', message: 'must be well-formed multipart/form-data', value: null },
          }
        : { success: false, code: 'UNSUPPORTED_MEDIA_TYPE' },
      title,
    );
  }
  const encoded = await media.send(admin, documents, {
    method: 'POST',
    body: `${whole}x${lastBoundary}`,
    headers: { 'content-type': multipart, 'content-encoding': 'gzip' },
  });
  t.equal(encoded.status, 415);
  await media.waitForObjects(0);
  t.same(topic.documents, []);
});

t.test('a form with too many or too large parts is rejected', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  for (const [title, parts] of [
    ['a hundred fields', Array.from({ length: 100 }, (_, at) => textPart(`field-${at}`, 'x')).join('')],
    ['a field of a megabyte', textPart('metadata', JSON.stringify({ description: 'x'.repeat(1_000_000) }))],
    ['fields named like prototype properties', textPart('__proto__', 'x') + textPart('constructor', 'x')],
  ] as const) {
    const body = `${textPart('topicId', topic.id) + parts + filePart('file', 'a.txt')}hello${lastBoundary}`;
    const response = await media.send(admin, documents, {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=test-boundary' },
    });
    t.ok([400, 422].includes(response.status), `${title}: ${response.status}`);
    t.match(await response.json(), { code: 'VALIDATION_ERROR' });
  }
  await media.waitForObjects(0);
});

t.test('the connection of a rejected upload is reused', async (t) => {
  const media = await startMedia(t);
  const { Agent, request } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const sockets = new Set<unknown>();
  for (let round = 0; round < 3; round += 1) {
    const sending = request({ host: '127.0.0.1', port: media.port, method: 'POST', path: documents, agent });
    sending.end(randomBytes(500_000));
    const [response] = await once(sending, 'response');
    t.equal(response.statusCode, 401);
    sockets.add(response.socket);
    await once(response.resume(), 'end');
  }
  t.equal(sockets.size, 1);
});

t.test('disconnected uploads leave nothing', async (t) => {
  const media = await startMedia(t, { maxConcurrentUploads: 80 });
  const topic = media.content.addTopic();
  const uploads = await Promise.all(
    Array.from({ length: 20 }, () => startVideoUpload(media, admin, topic.id, sample('mp4', 200_000))),
  );
  await waitFor(async () => (await media.files()).length === 20);
  for (const { request } of uploads) request.destroy();
  await media.waitForObjects(0);
  t.equal(topic.video, null);
  t.same(await media.events(), []);
});

t.test('an upload that stalls or is too slow returns 408 and leaves nothing', async (t) => {
  const media = await startMedia(t, { senderWindowMs: 600 });
  const topic = media.content.addTopic();
  const beginDocument = async (parts: string) => {
    const upload = startUpload(media, admin, { path: documents });
    await upload.write(parts);
    return upload;
  };
  const cases: Record<string, Promise<SlowUpload>> = {
    'stalled in the file': startVideoUpload(media, admin, topic.id, sample('mp4', 200_000)),
    'slow in the file': startVideoUpload(media, admin, topic.id, sample('mp4', 1_000)),
    'slow before the first part': beginDocument('a preamble'),
    'slow in a text': beginDocument(`${textPart('topicId', topic.id)}${openTextPart('metadata')}`),
  };
  for (const [title, begun] of Object.entries(cases)) {
    const upload = await begun;
    const trickle = setInterval(() => title.startsWith('stalled') || upload.request.write('x'), 20);
    const { status, headers, body } = await upload.response.finally(() => clearInterval(trickle));
    t.equal(status, 408, title);
    t.match(headers['content-type'], /^application\/json/, title);
    t.match(body, { success: false, code: 'REQUEST_TIMEOUT', error: /slow/, requestId: String }, title);
  }
  await media.waitForObjects(0);
  t.equal(topic.video, null);
});

t.test('a slow but steady upload succeeds', async (t) => {
  const media = await startMedia(t, { senderWindowMs: 300 });
  const topic = media.content.addTopic();
  const upload = await startVideoUpload(media, admin, topic.id, sample('mp4', 1_000));
  const until = performance.now() + 1_500;
  while (performance.now() < until) {
    await upload.write(randomBytes(1_024));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  t.equal((await upload.finish()).status, 200);
});

t.test('slow storage does not count against the sender', async (t) => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const files = createFileStorage(t.testdir());
  const storage: Storage = {
    ...files,
    put: async (key, bytes, options) => {
      await opened;
      await files.put(key, bytes, options);
    },
  };
  const media = await startMedia(t, { senderWindowMs: 300, storage });
  const topic = media.content.addTopic();
  const upload = await startVideoUpload(media, admin, topic.id, sample('mp4', 1_000));
  const sending = upload.write(randomBytes(10_000_000));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  open();
  await sending;
  t.equal((await upload.finish()).status, 200);
});

t.test('forty stalled uploads of one user take a quarter of the slots; other users can upload', async (t) => {
  const media = await startMedia(t);
  const mentor = testPrincipal(['MENTOR']);
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  const stalled = await Promise.all(
    Array.from({ length: 40 }, () => startVideoUpload(media, mentor, topic.id, sample('mp4', 1_000))),
  );
  const responses: UploadResponse[] = [];
  for (const { response } of stalled)
    response.then(
      (rejection) => responses.push(rejection),
      () => undefined,
    );
  await waitFor(async () => (await media.rows()).length === 4);
  const others = Array.from({ length: 12 }, () => testPrincipal(['ADMIN']));
  const uploads = await Promise.all(
    others.map((other) => startVideoUpload(media, other, topic.id, sample('mp4', 1_000))),
  );
  await waitFor(async () => (await media.rows()).length === 16);
  for (const upload of uploads) t.equal((await upload.finish()).status, 200);

  await waitFor(() => responses.length === 36, { until: '36 rejections' });
  for (const { status, headers, body } of responses) {
    t.equal(status, 429);
    t.match(headers['retry-after'], /^\d+$/);
    t.match(body, {
      success: false,
      code: 'RATE_LIMITED',
      details: { scope: 'upload', limit: 4, resetAt: String },
      requestId: String,
    });
  }
  for (const { request } of stalled) request.destroy();
  await media.waitForObjects(1);
});

t.test('the slot of an aborted slow upload goes to a waiting upload', async (t) => {
  const media = await startMedia(t, { maxConcurrentUploads: 1, senderWindowMs: 700 });
  const topic = media.content.addTopic();
  const slow = await startVideoUpload(media, admin, topic.id, sample('mp4', 100));
  await waitFor(async () => (await media.rows()).length === 1);
  const next = await startVideoUpload(media, testPrincipal(['ADMIN']), topic.id, sample('mp4', 1_000));
  t.equal((await next.finish()).status, 200);
  t.equal((await slow.response).status, 408);
  await media.waitForObjects(1);
});

t.test('a burst of uploads by one user succeeds, a few at a time', async (t) => {
  const media = await startMedia(t, { maxConcurrentUploads: 8 });
  const topic = media.content.addTopic();
  const send = () => {
    const body = new FormData();
    body.append('video', new File([sample('mp4', 1_000)], 'a.mp4'));
    return media.send(admin, `/api/admin/education/topics/${topic.id}/video`, { method: 'PUT', body });
  };
  const responses = await Promise.all(Array.from({ length: 6 }, send));
  t.same(new Set(responses.map(({ status }) => status)), new Set([200]));
  await media.waitForObjects(1);
});

t.test('a client that disconnects while it waits for a slot does not take it', async (t) => {
  const media = await startMedia(t, { maxConcurrentUploads: 2 });
  const topic = media.content.addTopic();
  const begin = () => startVideoUpload(media, testPrincipal(['ADMIN']), topic.id, sample('mp4', 1_000));
  const running = await Promise.all([begin(), begin()]);
  await waitFor(async () => (await media.rows()).length === 2);
  const leaving = await begin();
  const next = await begin();
  leaving.request.destroy();
  for (const upload of [...running, next]) t.equal((await upload.finish()).status, 200);
  await media.waitForObjects(1);
});

t.test('an upload that gets no slot returns 503 with Retry-After', async (t) => {
  const media = await startMedia(t, { maxConcurrentUploads: 2 });
  const topic = media.content.addTopic();
  const begin = () => startVideoUpload(media, testPrincipal(['ADMIN']), topic.id, sample('mp4', 1_000));
  const running = await Promise.all([begin(), begin()]);
  await waitFor(async () => (await media.rows()).length === 2);
  const third = await begin();
  const refused = await third.response;
  t.equal(refused.status, 503);
  t.match(refused.headers['retry-after'], /^\d+$/);
  t.match(refused.body, { code: 'SERVICE_UNAVAILABLE' });
  third.request.destroy();
  for (const upload of running) t.equal((await upload.finish()).status, 200);
  const fourth = await begin();
  t.equal((await fourth.finish()).status, 200);
  await media.waitForObjects(1);
});

t.test('an upload returns 403 and leaves nothing if the mentor loses the subject meanwhile', async (t) => {
  const media = await startMedia(t);
  const mentor = testPrincipal(['MENTOR']);
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  const video = await startVideoUpload(media, mentor, topic.id, sample('mp4', 100_000));
  const document = startUpload(media, mentor, { path: documents });
  await document.write(
    `${textPart('topicId', topic.id) + textPart('metadata', '{}') + filePart('file', 'a.txt')}hello`,
  );
  await waitFor(async () => (await media.rows()).length === 2);
  topic.mentorId = null;
  for (const upload of [video, document]) {
    const { status, body } = await upload.finish();
    t.equal(status, 403);
    t.match(body, { code: 'FORBIDDEN' });
  }
  await media.waitForObjects(0);
  t.match(topic, { video: null, documents: [] });
});

t.test('an upload returns 404 and leaves nothing if the topic is deleted meanwhile', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const upload = await startVideoUpload(media, admin, topic.id, sample('mp4', 100_000));
  await waitFor(async () => (await media.rows()).length === 1);
  media.content.topics.delete(topic.id);
  t.equal((await upload.finish()).status, 404);
  await media.waitForObjects(0);
});

t.test('an upload returns 503 and leaves nothing if content is unreachable', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const upload = await startVideoUpload(media, admin, topic.id, sample('mp4', 100_000));
  await waitFor(async () => (await media.rows()).length === 1);
  await media.content.stop();
  const { status, headers } = await upload.finish();
  t.equal(status, 503);
  t.match(headers['retry-after'], /^\d+$/);
  await media.waitForObjects(0);
});
