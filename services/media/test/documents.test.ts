import { createHash } from 'node:crypto';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { dataOf, file, form, shareMedia } from './start-media.ts';

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'x')]);
const upload = '/api/s3/document/upload';
const nextMedia = await shareMedia(t);

t.test('a document uploaded by the mentor is attached to the topic and readable by enrolled learners', async (t) => {
  const media = await nextMedia();
  const [mentor, learner, outsider] = [testPrincipal(['MENTOR']), testPrincipal(), testPrincipal()];
  const topic = media.content.addTopic({ mentorId: mentor.userId, enrolled: new Set([learner.userId]) });

  const parts = form(
    ['file', file(pdf)],
    ['metadata', '{"name":" Notes ","description":"All of it"}'],
    ['topicId', topic.id],
  );
  const response = await media.send(mentor, upload, parts);
  t.equal(response.status, 201);
  const entry = await dataOf(response);
  t.same(topic.documents, [entry]);
  t.match(entry, {
    id: String,
    name: 'Notes',
    description: 'All of it',
    key: /^document-[0-9a-f]{40}$/,
    fileName: 'notes.pdf',
    mimeType: 'application/pdf',
    size: pdf.length,
    checksum: `sha256:${createHash('sha256').update(pdf).digest('hex')}`,
    url: `https://lms.example/api/s3/document/stream?key=${entry.key}`,
    uploadedBy: mentor.userId,
  });
  t.same(await media.events(), ['media.document.uploaded']);

  const path = `/api/s3/document/stream?key=${entry.key}`;
  for (const reader of [mentor, learner, testPrincipal(['ADMIN'])]) {
    const read = await media.send(reader, path);
    t.equal(read.status, 200);
    t.same(Buffer.from(await read.arrayBuffer()), pdf);
  }
  const refused = await media.send(outsider, path);
  t.equal(refused.status, 403);
  t.match(await refused.json(), { success: false, code: 'ENROLLMENT_REQUIRED', requestId: String });
  t.equal((await media.send(null, path)).status, 401);
});

t.test('the parts of an upload may arrive in any order', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const bytes: [string, File] = ['file', file('hello', 'a.txt')];
  const metadata: [string, string] = ['metadata', '{}'];
  const topicId: [string, string] = ['topicId', topic.id];
  for (const order of [
    [bytes, metadata, topicId],
    [bytes, topicId, metadata],
    [metadata, bytes, topicId],
    [topicId, bytes, metadata],
    [metadata, topicId, bytes],
    [topicId, metadata, bytes],
  ]) {
    const response = await media.send(admin, upload, form(...order));
    t.equal(response.status, 201);
    t.match(await response.json(), { data: { name: 'a.txt', description: '', mimeType: 'text/plain' } });
  }
  t.equal(topic.documents.length, 6);
});

t.test('lengths of metadata are counted in characters', async (t) => {
  const media = await nextMedia();
  const mentor = testPrincipal(['MENTOR']);
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  const send = (name: string) =>
    media.send(
      mentor,
      upload,
      form(['topicId', topic.id], ['metadata', JSON.stringify({ name })], ['file', file('hello')]),
    );
  const stored = await send('😀'.repeat(200));
  t.equal(stored.status, 201);
  t.match(await stored.json(), { data: { name: '😀'.repeat(200) } });
  const refused = await send('😀'.repeat(201));
  t.equal(refused.status, 422);
  t.match(await refused.json(), {
    details: { field: 'metadata.name', message: 'must NOT have more than 200 characters' },
  });
  const named = (fileName: string) =>
    media.send(mentor, upload, form(['topicId', topic.id], ['metadata', '{}'], ['file', file('x', fileName)]));
  const longest = `${'😀'.repeat(251)}.txt`;
  t.match(await (await named(longest)).json(), { data: { fileName: longest, name: '😀'.repeat(200) } });
  t.match(await (await named(`😀${longest}`)).json(), { data: { fileName: longest } });
});

t.test('metadata may be sent as text, as JSON or as a Blob', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const json = '{"name":"Grüße"}';
  for (const blob of [new Blob([json]), new Blob([json], { type: 'application/json' })]) {
    const { method, body } = form(['topicId', topic.id], ['file', file('hello', 'a.txt')]);
    body.append('metadata', blob);
    const response = await media.send(admin, upload, { method, body });
    t.equal(response.status, 201);
    t.match(await response.json(), { data: { name: 'Grüße' } });
  }
  const boundary = 'b';
  const part = (name: string, more: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  for (const [metadata, status] of [
    [json, 201],
    ['{"name":', 422],
    ['[]', 422],
  ] as const) {
    const response = await media.send(admin, upload, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `${part('topicId', '', topic.id)}${part('metadata', '\r\nContent-Type: application/json', metadata)}${part('file', '; filename="a.txt"', 'hello')}--${boundary}--\r\n`,
    });
    t.equal(response.status, status, metadata);
    const body = await response.json();
    t.match(body, status === 201 ? { data: { name: 'Grüße' } } : { details: { field: 'metadata' } });
  }
});

t.test('file names are read as curl, browsers and .NET send them, and may be missing', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const part = (disposition: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
  for (const [disposition, fileName] of [
    ['name="file"; filename="a%22b.txt"', 'a"b.txt'],
    [`name=file; filename="=?utf-8?B?w6kudHh0?="; filename*=utf-8''%C3%A9.txt`, 'é.txt'],
    [`name="file"; filename*=UTF-8''%C3%A9.txt`, 'é.txt'],
    ['name="file"\r\nContent-Type: application/octet-stream', 'document'],
  ] as const) {
    const response = await media.send(admin, upload, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `${part(disposition, 'hello')}${part('name="topicId"', topic.id)}${part('name="metadata"', '{}')}--b--\r\n`,
    });
    t.equal(response.status, 201, disposition);
    t.match(await response.json(), { data: { fileName, name: fileName } });
  }
});

t.test(
  "an upload to another mentor's topic returns 403, whether topicId precedes the file or follows it, and leaves nothing",
  async (t) => {
    const media = await nextMedia();
    const mentor = testPrincipal(['MENTOR']);
    const topic = media.content.addTopic({ mentorId: 'someone' });
    const bytes: [string, File] = ['file', file(pdf)];
    const texts: [string, string][] = [
      ['topicId', topic.id],
      ['metadata', '{}'],
    ];
    for (const parts of [
      [...texts, bytes],
      [bytes, ...texts],
    ]) {
      const response = await media.send(mentor, upload, form(...parts));
      t.equal(response.status, 403);
      t.match(await response.json(), {
        code: 'FORBIDDEN',
        details: { required: ['ADMIN', 'MENTOR'], user_roles: ['MENTOR'] },
      });
    }
    await media.waitForObjects(0);
    t.same(topic.documents, []);
  },
);

t.test('an upload by a learner returns 403, an upload to an unknown topic 404', async (t) => {
  const media = await nextMedia();
  const learner = await media.send(testPrincipal(), upload, form(['file', file(pdf)]));
  t.equal(learner.status, 403);
  t.match(await learner.json(), { code: 'FORBIDDEN' });
  for (const id of ['nope', '../x', 'tz4a98xxat96iws9zmbrgj3a']) {
    const response = await media.send(
      testPrincipal(['ADMIN']),
      upload,
      form(['file', file(pdf)], ['topicId', id], ['metadata', '{}']),
    );
    t.equal(response.status, 404, id);
  }
  await media.waitForObjects(0);
});

t.test('an error names the part that is missing, unexpected, repeated, empty or invalid', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const bytes: [string, File] = ['file', file('hello', 'a.txt')];
  const id: [string, string] = ['topicId', topic.id];
  const metadata: [string, string] = ['metadata', '{}'];
  const cases: [string, string, [string, string | File][]][] = [
    ['no file', 'file', [id, metadata]],
    ['no topic', 'topicId', [bytes, metadata]],
    ['no metadata', 'metadata', [bytes, id]],
    ['a file of another name', 'file', [id, metadata, ['document', file('x')]]],
    ['two files', 'file', [bytes, id, metadata, bytes]],
    ['a second file of another name', 'copy', [bytes, id, metadata, ['copy', file('x')]]],
    ['a text instead of the file', 'file', [['file', 'hello'], id, metadata]],
    ['an empty file', 'file', [['file', file('')], id, metadata]],
    ['two topics', 'topicId', [id, id, bytes, metadata]],
    ['a blank topic', 'topicId', [bytes, metadata, ['topicId', ' ']]],
    ['metadata that is not JSON', 'metadata', [bytes, id, ['metadata', '{']]],
    ['metadata that is not an object', 'metadata', [bytes, id, ['metadata', '"x"']]],
    ['metadata that is a list', 'metadata', [bytes, id, ['metadata', '[]']]],
    ['a name that is not a string', 'metadata.name', [bytes, id, ['metadata', '{"name":1}']]],
    ['a blank name', 'metadata.name', [bytes, id, ['metadata', '{"name":"  "}']]],
    ['a name with NUL', 'metadata.name', [bytes, id, ['metadata', '{"name":"a\\u0000b"}']]],
    ['a description that is null', 'metadata.description', [bytes, id, ['metadata', '{"description":null}']]],
  ];
  for (const [title, field, parts] of cases) {
    const response = await media.send(admin, upload, form(...parts));
    t.equal(response.status, 422, title);
    t.match(await response.json(), { code: 'VALIDATION_ERROR', details: { field, message: String } }, title);
  }
  await media.waitForObjects(0);
  t.same(topic.documents, []);
});

t.test('a document can only be removed from its own topic', async (t) => {
  const media = await nextMedia();
  const [mentor, other] = [testPrincipal(['MENTOR']), testPrincipal(['MENTOR'])];
  const topic = media.content.addTopic({ mentorId: mentor.userId });
  const elsewhere = media.content.addTopic({ mentorId: mentor.userId });
  const uploaded = await media.send(
    mentor,
    upload,
    form(['file', file(pdf)], ['topicId', topic.id], ['metadata', '{}']),
  );
  const entry = await dataOf(uploaded);
  const remove = (user: typeof mentor, topicId: string, id: string) =>
    media.send(user, `/api/admin/education/topics/${topicId}/documents/${id}`, { method: 'DELETE' });

  t.equal((await remove(mentor, elsewhere.id, entry.id)).status, 404);
  t.equal((await remove(mentor, topic.id, 'no-id')).status, 404);
  t.equal((await remove(other, topic.id, entry.id)).status, 403);
  t.equal(topic.documents.length, 1);

  const removals = await Promise.all(Array.from({ length: 8 }, () => remove(mentor, topic.id, entry.id)));
  const [removed, ...others] = removals.sort((a, b) => a.status - b.status);
  t.equal(removed?.status, 200);
  t.match(await removed?.json(), { data: { id: entry.id, topicId: topic.id } });
  t.same(new Set(others.map(({ status }) => status)), new Set([404]), 'only one of the concurrent requests succeeds');
  t.same(topic.documents, []);
  t.equal((await media.send(mentor, `/api/s3/document/stream?key=${entry.key}`)).status, 404);
  t.equal((await remove(mentor, topic.id, entry.id)).status, 404);
  t.same(await media.events(), ['media.document.uploaded', 'media.document.removed']);
  await media.waitForObjects(0);
});

t.test('an unknown key returns 404, whatever it contains', async (t) => {
  const media = await nextMedia();
  const admin = testPrincipal(['ADMIN']);
  for (const key of ['x', '../../etc/passwd', '%2e%2e%2f', '%25', '%zz', 'a/b\\c', `document-${'0'.repeat(40)}`]) {
    const response = await media.send(admin, `/api/s3/document/stream?key=${key}`);
    t.equal(response.status, 404, key);
    t.match(await response.json(), { code: 'NOT_FOUND' });
  }
  for (const query of ['', '?key=', '?key=a%00b', '?key=a&key=b'])
    t.equal((await media.send(admin, `/api/s3/document/stream${query}`)).status, 422, query);
});
