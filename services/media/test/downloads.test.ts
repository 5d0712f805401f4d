import { testPrincipal } from '@lms/testing/principals';
import t, { type Test } from 'tap';
import { sample } from './samples.ts';
import { dataOf, file, form, startMedia } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);

/** Starts media with one document, and returns a function that requests it. */
async function withDocument(t: Test, bytes: Buffer, name = 'notes.pdf') {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const parts = form(['file', file(bytes, name)], ['topicId', topic.id], ['metadata', '{}']);
  const entry = await dataOf(await media.send(admin, '/api/s3/document/upload', parts));
  const path = `/api/s3/document/stream?key=${entry.key}`;
  return {
    media,
    topic,
    path,
    get: (headers: Record<string, string> = {}, init: RequestInit = {}) =>
      media.send(admin, path, { ...init, headers }),
  };
}

t.test('ranges are handled as RFC 9110 says', async (t) => {
  const bytes = sample('mp4', 10_000);
  const { get } = await withDocument(t, bytes);
  const satisfiable: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['BYTES=5-9', 5, 9],
    ['bytes=9999-', 9_999, 9_999],
    ['bytes=500-', 500, 9_999],
    ['bytes=-1', 9_999, 9_999],
    ['bytes=-500', 9_500, 9_999],
    ['bytes=-99999', 0, 9_999],
    ['bytes=9000-99999999999999999999999', 9_000, 9_999],
    ['bytes=0-9999', 0, 9_999],
  ];
  for (const [range, start, end] of satisfiable) {
    const response = await get({ range });
    t.equal(response.status, 206, range);
    t.equal(response.headers.get('content-range'), `bytes ${start}-${end}/10000`, range);
    t.equal(response.headers.get('content-length'), String(end - start + 1), range);
    t.ok(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end + 1)), range);
  }
  for (const range of ['bytes=10000-', 'bytes=99999999999999999999-', 'bytes=-0']) {
    const response = await get({ range });
    t.equal(response.status, 416, range);
    t.equal(response.headers.get('content-range'), 'bytes */10000', range);
    t.match(await response.json(), { success: false, code: 'RANGE_NOT_SATISFIABLE', requestId: String }, range);
  }
  for (const range of [
    'bytes=0-1,3-4',
    'bytes=5-2',
    'bytes=-',
    'bytes',
    'bytes=a-b',
    'items=0-1',
    'bytes=0x1-2',
    'bytes=1.5-2',
  ]) {
    const response = await get({ range });
    t.equal(response.status, 200, range);
    t.equal(response.headers.get('content-range'), null);
    t.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), range);
  }
});

t.test('If-Range returns a range only of the version that the client has', async (t) => {
  const { get } = await withDocument(t, sample('mp4', 1_000));
  const { headers } = await get();
  const [etag, modified] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
  t.match(etag, /^"[0-9a-f]{64}"$/);
  for (const [ifRange, status] of [
    [etag, 206],
    [modified, 206],
    [`W/${etag}`, 200],
    ['"other"', 200],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 200],
    ['nonsense', 200],
  ] as const) {
    const response = await get({ range: 'bytes=0-9', 'if-range': ifRange });
    t.equal(response.status, status, ifRange);
    await response.arrayBuffer();
  }
});

t.test('conditional requests return 304 or 412 without a body', async (t) => {
  const { get } = await withDocument(t, sample('mp4', 1_000));
  const { headers } = await get();
  const [etag, modified] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
  const [past, future] = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT'];
  const cases: [Record<string, string>, number][] = [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"x", W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': future }, 200],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': past }, 200],
    [{ 'if-modified-since': 'nonsense' }, 200],
    [{ 'if-match': etag }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-match': `W/${etag}` }, 412],
    [{ 'if-unmodified-since': past }, 412],
    [{ 'if-unmodified-since': modified }, 200],
    [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304],
    [{ 'if-match': etag, range: 'bytes=0-1' }, 206],
  ];
  for (const [conditions, status] of cases) {
    const response = await get(conditions);
    t.equal(response.status, status, JSON.stringify(conditions));
    const body = await response.text();
    if (status === 304)
      t.match([body, response.headers.get('etag'), response.headers.get('content-type')], ['', etag, null]);
    if (status === 412) t.match(JSON.parse(body), { code: 'PRECONDITION_FAILED' });
  }
});

t.test('HEAD returns the headers of GET without a body', async (t) => {
  const { get } = await withDocument(t, sample('mp4', 1_000), 'lesson.mp4');
  const [head, whole] = [await get({}, { method: 'HEAD' }), await get()];
  t.equal(head.status, 200);
  t.equal(await head.text(), '');
  for (const name of [
    'content-length',
    'content-type',
    'etag',
    'last-modified',
    'accept-ranges',
    'content-disposition',
  ])
    t.equal(head.headers.get(name), whole.headers.get(name), name);
  t.equal(head.headers.get('content-length'), '1000');
  // RFC 9110 §14.2: Range is only defined for GET.
  t.equal((await get({ range: 'bytes=0-1' }, { method: 'HEAD' })).status, 200);
  t.equal((await get({ range: 'bytes=5000-' }, { method: 'HEAD' })).status, 200);
});

t.test('the headers of downloads prevent browsers from executing or caching them', async (t) => {
  const { get } = await withDocument(t, Buffer.from('%PDF-1.7 x'));
  for (const headers of [{}, { range: 'bytes=0-1' }])
    t.match(Object.fromEntries((await get(headers)).headers), {
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'x-request-id': String,
    });
});

t.test('the media type is detected from the bytes, and determines whether the file is sent inline', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const zip = (...entries: [name: string, content?: string][]) =>
    Buffer.concat(
      entries.map(([name, content = '']) => {
        const head = Buffer.alloc(30);
        head.write('PK\x03\x04', 'latin1');
        head.writeUInt32LE(content.length, 18);
        head.writeUInt32LE(content.length, 22);
        head.writeUInt16LE(name.length, 26);
        return Buffer.concat([head, Buffer.from(name + content)]);
      }),
    );
  const cases: [name: string, bytes: Buffer | string, type: string, disposition: 'inline' | 'attachment'][] = [
    ['a.pdf', '%PDF-1.4', 'application/pdf', 'inline'],
    ['a.txt', 'grüße', 'text/plain; charset=utf-8', 'inline'],
    ['a.csv', 'a,b\n1,2', 'text/csv; charset=utf-8', 'attachment'],
    ['a.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png', 'inline'],
    ['a.jpg', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'image/jpeg', 'inline'],
    ['page.pdf', '<!DOCTYPE html><script>alert(1)</script>', 'text/html; charset=utf-8', 'attachment'],
    ['a.html', ' <html>', 'text/html; charset=utf-8', 'attachment'],
    ['a.svg', '<?xml version="1.0"?><svg xmlns="x">', 'image/svg+xml', 'attachment'],
    ['a.png', '<svg onload="alert(1)">', 'image/svg+xml', 'attachment'],
    ['a.mp4', sample('mp4', 100), 'video/mp4', 'inline'],
    ['a.mkv', sample('mkv', 100), 'video/x-matroska', 'inline'],
    ['a.mp3', Buffer.from('ID3\x04'), 'audio/mpeg', 'inline'],
    [
      'a.docx',
      zip(['[Content_Types].xml', '<Types/>'], ['word/document.xml']),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'attachment',
    ],
    [
      'a.docx',
      zip(['xl/workbook.xml']),
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'attachment',
    ],
    [
      'a.odt',
      zip(['mimetype', 'application/vnd.oasis.opendocument.text'], ['content.xml', '<x/>']),
      'application/vnd.oasis.opendocument.text',
      'attachment',
    ],
    ['a.epub', zip(['mimetype', 'application/epub+zip'], ['OEBPS/a.xhtml']), 'application/epub+zip', 'attachment'],
    ['a.zip', zip(['readme']), 'application/zip', 'attachment'],
    ['a.zip', zip(['password/list.txt']), 'application/zip', 'attachment'],
    ['a.zip', zip(['mimetype', 'text/html'], ['<script>']), 'application/zip', 'attachment'],
    ['a.txt', 'The free market, and The wide river', 'text/plain; charset=utf-8', 'inline'],
    ['a.txt', 'BMI and how to calculate it', 'text/plain; charset=utf-8', 'inline'],
    ['a.txt', 'ID3 tags explained', 'text/plain; charset=utf-8', 'inline'],
    ['a.bmp', Buffer.from('424d3a000000', 'hex'), 'image/bmp', 'inline'],
    ['a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'application/vnd.ms-excel', 'attachment'],
    ['a.txt', Buffer.from([0, 1, 2, 3]), 'application/octet-stream', 'attachment'],
    ['a.pdf', Buffer.from('4d5a9000', 'hex'), 'application/vnd.microsoft.portable-executable', 'attachment'],
  ];
  for (const [name, bytes, type, disposition] of cases) {
    // The Content-Type header of the part is ignored.
    const part = new File([Buffer.from(bytes)], name, { type: 'text/html' });
    const entry = await dataOf(
      await media.send(
        admin,
        '/api/s3/document/upload',
        form(['file', part], ['topicId', topic.id], ['metadata', '{}']),
      ),
    );
    const path = `/api/s3/document/stream?key=${entry.key}`;
    const { headers } = await media.send(admin, path);
    t.equal(headers.get('content-type'), type, name);
    t.equal(headers.get('content-disposition')?.split(';')[0], disposition, `${name} ${type}`);
    t.match((await media.send(admin, `${path}&download=1`)).headers.get('content-disposition'), /^attachment/);
  }
});

t.test('any file name is returned unchanged and cannot break out of its header', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const cases: [given: string, plain: string, extended: string | undefined][] = [
    ['plain name.pdf', 'plain name.pdf', undefined],
    ['Übung – 1.pdf', '?bung ? 1.pdf', 'Übung – 1.pdf'],
    ['日本語.pdf', '???.pdf', '日本語.pdf'],
    ["it's (a) *star*.pdf", "it's (a) *star*.pdf", undefined],
    ['50%.pdf', '50_.pdf', '50%.pdf'],
    ['50%20.pdf', '50_20.pdf', '50%20.pdf'],
    ['a "quoted" name.pdf', 'a _quoted_ name.pdf', 'a "quoted" name.pdf'],
    ['emoji 🎓.pdf', 'emoji ??.pdf', 'emoji 🎓.pdf'],
    ['a\u202Efdp.exe', 'afdp.exe', undefined],
    ['../../etc/passwd', 'passwd', undefined],
    ['C:\\Users\\me\\notes.pdf', 'notes.pdf', undefined],
  ];
  for (const [given, plain, extended] of cases) {
    const parts = form(['file', file('%PDF-', given)], ['topicId', topic.id], ['metadata', '{}']);
    const entry = await dataOf(await media.send(admin, '/api/s3/document/upload', parts));
    const { headers } = await media.send(admin, `/api/s3/document/stream?key=${entry.key}&download=true`);
    const [, name, encoded] =
      /^attachment; filename="([^"]*)"(?:; filename\*=UTF-8''(\S+))?$/.exec(headers.get('content-disposition') ?? '') ??
      [];
    t.equal(name, plain, given);
    t.equal(encoded && decodeURIComponent(encoded), extended, given);
  }
});

t.test('access is checked for every request, before storage is read', async (t) => {
  const { media, topic, path } = await withDocument(t, Buffer.from('%PDF-1.7 x'));
  const learner = testPrincipal();
  topic.enrolled.add(learner.userId);
  t.equal((await media.send(learner, path)).status, 200);
  topic.enrolled.delete(learner.userId);
  const refused = await media.send(learner, path, { headers: { range: 'bytes=0-0', 'if-none-match': '*' } });
  t.equal(refused.status, 403);
  t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED' });
  t.equal(refused.headers.get('last-modified'), null);
  media.content.topics.delete(topic.id);
  t.equal((await media.send(admin, path)).status, 404);
});

t.test('a download returns 503 while content is unreachable', async (t) => {
  const { media, get } = await withDocument(t, Buffer.from('%PDF-1.7 x'));
  await media.content.stop();
  const response = await get();
  t.equal(response.status, 503);
  t.match(response.headers.get('retry-after'), /^\d+$/);
  t.match(await response.json(), { code: 'SERVICE_UNAVAILABLE' });
});
