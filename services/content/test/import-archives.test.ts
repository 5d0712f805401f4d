import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { openArchive } from '../src/curriculum/archive.ts';
import { startImports } from './import-service.ts';
import { type ZipEntry, zipOf } from './zip.ts';

const service = await startImports(t);
const { run, nodes, call, database } = service;

const mp4 = (size: number, seed = 1) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32BE(at * seed, at);
  Buffer.from([0, 0, 0, 24, ...Buffer.from('ftypisom\0\0\0\0isomavc1', 'latin1')]).copy(bytes);
  return bytes;
};
// SubRip: media stores another text.
const srt = '1\n00:00:00,000 --> 00:00:01,000\nOne\n';
const json = (name: string, topic: Record<string, unknown>, mode: Record<string, unknown> = {}) =>
  JSON.stringify({
    version: 1,
    levels: [
      {
        ...{ name, description: 'x', ...mode },
        grades: [
          {
            ...{ name: 'G', level: 'primary' },
            subjects: [{ name: 'S', description: 'x', topics: [{ name, description: 'x', content: 'x', ...topic }] }],
          },
        ],
      },
    ],
  });
const topicOf = async (name: string) => {
  const [row] = await database.sql`select * from nodes where kind = 'topic' and name = ${name} and deleted_at is null`;
  return row ?? {};
};

t.test('videos, captions and documents of an archive are stored, and only changed ones again', async (t) => {
  const video = mp4(300_000);
  const outline = {
    video: { file: 'media/film.mp4', captions: [{ language: 'en', file: 'media/film.srt', label: 'English' }] },
    documents: [{ file: 'media/notes ä.txt', name: 'Notes', description: 'To read' }, { file: 'media/other.txt' }],
  };
  const files = {
    'media/film.mp4': video,
    'media/film.srt': srt,
    'media/notes ä.txt': 'notes',
    'media/other.txt': 'other',
  };
  const archive = (changed: Record<string, Buffer | string> = {}, topic: Record<string, unknown> = outline) =>
    zipOf({ 'curriculum.json': json('Media', topic), ...files, ...changed });
  const first = await run('course.zip', archive());
  t.match(first, { status: 'completed', percent: 100, issues: [], counts: { created: 4, media: 4 } });
  const topic = await topicOf('Media');
  t.match(topic.video, {
    video: {
      ...{ fileName: 'film.mp4', size: video.length, captions: [{ language: 'en', label: 'English' }] },
      checksum: `sha256:${createHash('sha256').update(video).digest('hex')}`,
    },
  });
  t.match(
    topic.documents.map(({ name, description, fileName, mimeType }: Record<string, string>) => ({
      ...{ name, description, fileName, mimeType },
    })),
    [
      { name: 'Notes', description: 'To read', fileName: 'notes ä.txt', mimeType: 'text/plain' },
      { name: 'other.txt', description: '', fileName: 'other.txt' },
    ],
  );
  const uploaders = await service.mediaDatabase.sql`select distinct uploaded_by from objects where status = 'ready'`;
  t.equal(uploaders.length, 1, 'the administrator');

  t.match(await run('course.zip', archive()), { counts: { unchanged: 4, media: 0 } });
  t.equal((await topicOf('Media')).version, topic.version);
  const changed = await run('course.zip', archive({ 'media/other.txt': 'changed', 'media/film.mp4': mp4(300_000, 2) }));
  t.match(changed, { counts: { media: 3 } }, 'captions belong to the replaced video');
  t.equal((await topicOf('Media')).documents.length, 2, 'a document is replaced by one of its name');

  const video2 = { ...outline.video, captions: [{ ...outline.video.captions[0], label: 'British' }] };
  t.match(
    await run(
      'course.zip',
      archive({ 'media/other.txt': 'changed', 'media/film.mp4': mp4(300_000, 2) }, { ...outline, video: video2 }),
    ),
    {
      counts: { media: 0 },
    },
  );
  t.match((await topicOf('Media')).video, { video: { captions: [{ label: 'British' }] } });

  const less = archive({}, { video: null, documents: outline.documents.slice(0, 1) });
  t.match(await run('course.zip', less, '?mode=mirror'), { status: 'completed', counts: { media: 0 } });
  const mirrored = await topicOf('Media');
  t.equal(mirrored.video, null);
  t.match(mirrored.documents, [{ name: 'Notes' }]);
  await service.waitForNoFiles();
});

t.test('names of files may be in any normalization form, as Macs write them', async (t) => {
  const name = 'media/\u00DCbung.txt';
  for (const stored of [name, name.normalize('NFD'), `${name} `]) {
    const outline = { documents: [{ file: name.normalize('NFD') }] };
    const archive = zipOf({ 'curriculum.json': json('Forms', outline), [stored]: `as ${stored}` });
    t.match(await run('course.zip', archive), { status: 'completed', issues: [], counts: { media: 1 } }, stored);
  }
});

t.test('documents of one topic may have the same name', async (t) => {
  const documents = ['a.txt', 'b.txt', 'c.txt'].map((file) => ({ file, name: 'Notes' }));
  const archive = (changed: Record<string, string> = {}) =>
    zipOf({
      'curriculum.json': json('Namesakes', { documents }),
      ...{ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', ...changed },
    });
  const stored = async () =>
    (await topicOf('Namesakes')).documents.map(({ fileName, size }: Record<string, unknown>) => `${fileName} ${size}`);
  t.match(await run('course.zip', archive()), { status: 'completed', counts: { media: 3 } });
  t.same(await stored(), ['a.txt 1', 'b.txt 1', 'c.txt 1']);
  t.match(await run('course.zip', archive()), { counts: { media: 0 } });
  t.match(await run('course.zip', archive({ 'b.txt': 'changed' })), { counts: { media: 1 } });
  t.same(await stored(), ['a.txt 1', 'c.txt 1', 'b.txt 7']);
});

t.test('a file that media refuses becomes a warning, and the rest is imported', async (t) => {
  const topic = { video: { file: 'a.mp4' }, documents: [{ file: 'b.txt' }] };
  const archive = zipOf({
    'curriculum.json': json('Refused', topic),
    'a.mp4': '%PDF-1.7 not a video',
    'b.txt': 'text',
  });
  const result = await run('course.zip', archive);
  t.match(result, { status: 'completed', counts: { created: 4, media: 1 }, issueCount: 1 });
  t.match(result.issues, [
    {
      ...{ severity: 'warning', code: 'UNSUPPORTED_FORMAT' },
      pointer: '/levels/0/grades/0/subjects/0/topics/0/video/file',
    },
  ]);
  t.match(await topicOf('Refused'), { video: null, documents: [{ name: 'b.txt' }] });
});

t.test('files that are missing, empty or of another format are errors before anything is written', async (t) => {
  const topic = { video: { file: 'a.mkv' }, documents: [{ file: 'none.txt' }, { file: 'empty.txt' }] };
  const archive = zipOf({ 'curriculum.json': json('Wrong files', topic), 'a.mkv': 'x', 'empty.txt': '' });
  const { status, issues } = await run('course.zip', archive);
  t.equal(status, 'failed');
  t.same(
    issues.map(({ code }) => code),
    ['UNSUPPORTED_FORMAT', 'MISSING_FILE', 'EMPTY_FILE'],
  );
  t.match(await run('c.json', json('Wrong files', { documents: [{ file: 'b.txt' }] })), {
    issues: [{ code: 'MISSING_FILE' }],
  });
  t.match(await run('c.zip', zipOf({ 'other.json': '{}' })), { issues: [{ code: 'MISSING_FILE' }] });
});

t.test('hostile archives are refused, name the entry and leave nothing', async (t) => {
  const outline = json('Hostile', {});
  const withEntry = (entry: ZipEntry) => zipOf({ 'curriculum.json': outline }, [entry]);
  const bomb = Buffer.alloc(5_000_000);
  const refused: Record<string, [Buffer, RegExp]> = {
    'a parent path': [withEntry({ name: '../evil', data: 'x' }), /^\.\.\/evil: Names must be relative/],
    'a parent path inside': [withEntry({ name: 'a/../../evil', data: 'x' }), /evil: Names must be relative/],
    'an absolute path': [withEntry({ name: '/etc/passwd', data: 'x' }), /^\/etc\/passwd: Names must be relative/],
    'a drive': [withEntry({ name: 'C:/evil', data: 'x' }), /C:\/evil: Names must be relative/],
    backslashes: [withEntry({ name: '..\\evil', data: 'x' }), /Names must be relative/],
    'a link': [withEntry({ name: 'link', data: '/etc/passwd', mode: 0o120777 }), /^link: Links/],
    'a device': [withEntry({ name: 'null', data: 'x', mode: 0o020666 }), /^null: Links/],
    'an encrypted entry': [withEntry({ name: 'secret', data: 'x', flags: 1 }), /^secret: Encrypted/],
    'a name twice': [zipOf({ 'curriculum.json': outline }, [{ name: 'curriculum.json', data: 'x' }]), /twice/],
    'a name that is not UTF-8': [withEntry({ name: Buffer.from([0x61, 0xff]), data: 'x' }), /Names must be UTF-8/],
    'a name with NUL': [withEntry({ name: 'a\0b', data: 'x' }), /^a\ufffdb: The name is not valid/],
    'an entry that expands too much': [withEntry({ name: 'bomb', data: bomb }), /^bomb: The entry expands/],
    'an entry with a wrong size': [
      zipOf({}, [{ name: 'curriculum.json', data: outline, claimedSize: 10 }]),
      /curriculum\.json|cannot be read/,
    ],
    'another method': [withEntry({ name: 'x', data: 'x', method: 99 }), /^x: The compression method/],
    'too many entries': [
      zipOf(
        {},
        Array.from({ length: 20_001 }, (_, index) => ({ name: String(index), data: '', method: 0 })),
      ),
      /more than 20000 entries/,
    ],
    'no archive': [Buffer.from('not a zip at all, but long enough to look for its end'), /cannot be read/],
  };
  for (const [name, [archive, message]] of Object.entries(refused)) {
    const result = await run('course.zip', archive);
    t.match(result, { status: 'failed', counts: { created: 0 } }, name);
    t.match(result.issues[0]?.message, message, name);
  }
  t.notOk((await nodes()).has('Hostile'));
  await service.waitForNoFiles();
  const [left] = await database.sql`select count(*)::int as items from import_items`;
  t.equal(left?.items, 0);
});

t.test('a Common Cartridge is imported, with warnings for what has no place', async (t) => {
  const manifest = `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>1.3.0</schemaversion></metadata>
  <organizations><organization identifier="o" structure="rooted-hierarchy"><item identifier="root">
    <item identifier="i1"><title>Cartridge subject</title>
      <item identifier="i2" identifierref="r1"><title>Cartridge page</title></item>
      <item identifier="i3" identifierref="r2"><title>Quiz</title></item>
      <item identifier="i4" identifierref="r3"><title>Sheet</title></item>
    </item></item></organization></organizations>
  <resources>
    <resource identifier="r1" type="webcontent" href="page.html"><file href="page.html"/></resource>
    <resource identifier="r2" type="imsqti_xmlv1p2/imscc_xmlv1p3/assessment"><file href="quiz.xml"/></resource>
    <resource identifier="r3" type="webcontent" href="U\u0308bung.txt"><file href="U\u0308bung.txt"/></resource>
  </resources>
</manifest>`;
  const files = {
    'imsmanifest.xml': manifest,
    'page.html': '<html><body><p>Hello</p></body></html>',
    'quiz.xml': '<x/>',
    'U\u0308bung.txt': 'x',
  };
  const result = await run('course.imscc', zipOf(files));
  t.match(result, { status: 'completed' });
  t.ok(result.counts.created > 0);
  t.equal(result.counts.media, 1);
  t.ok(result.issues.some(({ code, severity }) => code === 'UNSUPPORTED_RESOURCE' && severity === 'warning'));
  t.notOk(result.issues.some(({ code }) => code === 'UNUSED_FILE'));
  t.match(await topicOf('Cartridge page'), { content: /Hello/ });
  t.match(await run('course.imscc', zipOf(files)), { counts: { created: 0, unchanged: result.counts.created } });
  t.match(await run('empty.imscc', zipOf({ 'x.txt': 'x' })), { status: 'failed' });
  t.equal((await call('GET', '/api/education/tree')).status, 200);
});

t.test('an entry that is not read to its end frees its bytes, and its failure does not end the process', async (t) => {
  const zip = zipOf({ 'notes.txt': 'x'.repeat(1_000) });
  const opened: { resolve(bytes: Readable): void; reject(error: Error): void }[] = [];
  let isDirectory = true;
  const archive = await openArchive({
    size: zip.length,
    open: async (start, end) =>
      isDirectory
        ? Readable.from([zip.subarray(start, end)])
        : new Promise((resolve, reject) => opened.push({ resolve, reject })),
  });
  isDirectory = false;
  const open = async () => {
    const opening = archive.entries.get('notes.txt')?.open();
    await waitFor(() => opened.length > 0, { until: 'the entry to be read from the source' });
    const source = opened.pop();
    if (!opening || !source) throw new Error('the entry is not read from the source');
    return { opening, source };
  };
  const outOfReach = new Error('the storage is out of reach');

  const failing = await open();
  failing.source.reject(outOfReach);
  await t.rejects(() => failing.opening, { message: /the storage is out of reach/ });

  const unread = await open();
  const breaking = new PassThrough();
  unread.source.resolve(breaking);
  const bytes = await unread.opening;
  breaking.destroy(outOfReach);
  await waitFor(() => bytes.destroyed, { until: 'the failure to reach the entry' });
  await t.rejects(() => bytes.toArray(), { message: /the storage is out of reach/ });

  const abandoned = await open();
  const stored = new PassThrough();
  abandoned.source.resolve(stored);
  (await abandoned.opening).destroy();
  await waitFor(() => stored.destroyed, { until: 'the bytes to be freed' });
});

t.test('an entry whose bytes are not those that the archive says is refused', async (t) => {
  const notes = Buffer.from('some notes');
  const openEntry = async (entry: ZipEntry) => {
    const zip = zipOf({}, [entry]);
    const { entries } = await openArchive({
      size: zip.length,
      open: async (start, end) => {
        if (start === end) throw new Error('there is no range of no bytes');
        return Readable.from([zip.subarray(start, end)]);
      },
    });
    const only = entries.get('notes.txt');
    if (!only) throw new Error('the archive has no such entry');
    return { read: only.read, stream: async () => Buffer.concat(await (await only.open()).toArray()) };
  };
  const refusal = { name: 'ArchiveRefused', entry: 'notes.txt', code: 'INVALID_ARCHIVE' };
  const notesEntry = { name: 'notes.txt', data: notes };
  for (const method of [0, 8]) {
    const intact = await openEntry({ ...notesEntry, method });
    t.same(await intact.read(), notes);
    t.same(await intact.stream(), notes);
    const changed = await openEntry({ ...notesEntry, method, claimedChecksum: 1 });
    await t.rejects(() => changed.read(), refusal);
    await t.rejects(() => changed.stream(), refusal);
  }
  const empty = await openEntry({ name: 'notes.txt', data: '', method: 0 });
  t.equal((await empty.stream()).length, 0, 'an empty entry has no bytes');
  for (const claimedSize of [notes.length - 1, notes.length + 1]) {
    const resized = await openEntry({ ...notesEntry, claimedSize });
    await t.rejects(() => resized.read(), refusal);
    await t.rejects(() => resized.stream(), refusal);
  }
});
