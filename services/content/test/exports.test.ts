import { Curriculum } from '@lms/contracts/curriculum';
import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { Value } from '@sinclair/typebox/value';
import t from 'tap';
import { admin, startContent } from './content-service.ts';
import { exportsPath, startExports } from './export-service.ts';
import { readZip } from './read-zip.ts';

const { media, content, start, finish, exportFile } = await startExports(t);
const { call, create, database } = content;

/** Attaches a video with captions, and a document, as media does. */
async function attachFiles(topicId: string, text = 'video bytes') {
  const fileOf = (bytes: Buffer, fileName: string) => ({
    ...{ id: createId(), fileName, mimeType: 'video/webm', size: bytes.length },
    ...{ checksum: `sha256:${media.sha256(bytes)}`, uploadedAt: new Date().toISOString() },
  });
  const [film, captions, sheet] = [text, 'WEBVTT', 'document bytes'].map((bytes) => Buffer.from(bytes));
  if (!film || !captions || !sheet) throw new Error('no bytes');
  const address = `/api/education/topics/${topicId}/video`;
  media.media.set(address, film);
  media.media.set(`${address}/captions/en`, captions);
  const tracks = [{ language: 'en', label: 'English', kind: 'captions', default: true }];
  const video = { ...fileOf(film, 'a lesson.webm'), captions: tracks };
  const attached = await call('PUT', `/internal/topics/${topicId}/video`, {
    as: admin,
    body: { video, videoUrl: `https://lms.test${address}` },
  });
  const key = createId();
  media.media.set(`/api/s3/document/stream?key=${key}`, sheet);
  const entry = { ...fileOf(sheet, 'sheet.txt'), name: 'Sheet', description: 'To print', key, url: 'x' };
  const appended = await call('POST', `/internal/topics/${topicId}/documents`, {
    as: admin,
    body: { ...entry, uploadedBy: admin.userId },
  });
  if (attached.status + appended.status !== 401) throw new Error(JSON.stringify([attached.json, appended.json]));
}

// The first level has everything, the second is empty, the third is deleted.
const level = await create('levels', {
  ...{ name: '=SUM(A1)', description: 'First, with "quotes"', externalId: 'l-1' },
  imageUrl: 'https://pictures.example/a.png',
});
const grade = await create('grades', { name: 'Grade', level: 'primary', educationLevelId: level.id, isActive: false });
const subject = await create('subjects', {
  ...{ name: 'Numbers', description: 'About numbers', gradeId: grade.id, externalId: 's-1' },
  mentorEmail: 'mentor@lms.test',
});
const topic = await create('topics', {
  ...{ name: 'Sums', description: 'Adding', content: 'One\nand one', subjectId: subject.id, externalId: 't-1' },
});
await create('topics', { name: 'Ähnlich', description: 'x', content: 'x', subjectId: subject.id, position: 0 });
const gone = await create('topics', { name: 'Gone', description: 'x', content: 'x', subjectId: subject.id });
await call('DELETE', `/api/admin/education/topics/${gone.id}`, { as: admin });
await create('subjects', { name: 'Other', description: 'x', gradeId: grade.id });
await create('levels', { name: 'Empty', description: 'x' });
await attachFiles(topic.id);

const files = {
  video: {
    file: 'videos/00001/a lesson.webm',
    captions: [{ language: 'en', file: 'captions/00001/en.vtt', label: 'English', kind: 'captions', default: true }],
  },
  documents: [{ file: 'documents/00001/01/sheet.txt', name: 'Sheet', description: 'To print' }],
};

t.test('json contains everything that is not deleted, in its order', async (t) => {
  const { bytes, ...result } = await exportFile({ format: 'json' });
  const curriculum = JSON.parse(bytes.toString());
  t.ok(Value.Check(Curriculum, curriculum), JSON.stringify([...Value.Errors(Curriculum, curriculum)].slice(0, 3)));
  t.match(curriculum.levels, [
    { name: '=SUM(A1)', externalId: 'l-1', imageUrl: 'https://pictures.example/a.png', isActive: true, position: 0 },
    { name: 'Empty', grades: [] },
  ]);
  t.notOk('externalId' in curriculum.levels[1], 'an item without external id stays without');
  const [exported] = curriculum.levels[0].grades;
  t.match(exported, { name: 'Grade', level: 'primary', isActive: false, description: '' });
  t.match(exported.subjects, [
    { name: 'Numbers', mentorEmail: 'mentor@lms.test' },
    { name: 'Other', topics: [] },
  ]);
  const names = exported.subjects[0].topics.map((each: { name: string }) => each.name);
  t.strictSame(names, ['Sums', 'Ähnlich'], 'siblings of the same position are ordered by name');
  t.notOk('video' in exported.subjects[0].topics[0], 'files are not part of it');
  t.match(result, {
    ...{ status: 'completed', percent: 100, format: 'json', rootType: null, rootId: null, includeMedia: false },
    ...{ size: bytes.length, checksum: `sha256:${media.sha256(bytes)}`, error: null, createdBy: admin.userId },
    fileName: /^curriculum-\d{4}-\d\d-\d\d\.json$/,
    downloadUrl: /^https:\/\/lms\.test\/api\/education\/exports\/\w+\/download\?token=/,
  });
  t.ok(new Date(result.expiresAt).getTime() - Date.now() <= 900_000);
});

t.test('zip and imscc have the files next to the items, the same bytes each time', async (t) => {
  const [zip, again, cartridge] = await Promise.all([
    exportFile({ format: 'zip', includeMedia: true }),
    exportFile({ format: 'zip', includeMedia: true }),
    exportFile({ format: 'imscc', includeMedia: true }),
  ]);
  const entries = readZip(zip.bytes);
  t.strictSame(
    [...entries.keys()],
    ['curriculum.json', 'videos/00001/a lesson.webm', 'captions/00001/en.vtt', 'documents/00001/01/sheet.txt'],
  );
  t.equal(entries.get('videos/00001/a lesson.webm')?.toString(), 'video bytes');
  t.equal(entries.get('documents/00001/01/sheet.txt')?.toString(), 'document bytes');
  const curriculum = JSON.parse(String(entries.get('curriculum.json')));
  t.ok(Value.Check(Curriculum, curriculum));
  t.match(curriculum.levels[0].grades[0].subjects[0].topics, [
    { name: 'Sums', ...files },
    { video: null, documents: [] },
  ]);
  t.equal(media.sha256(again.bytes), media.sha256(zip.bytes));

  const parts = readZip(cartridge.bytes);
  t.strictSame(
    [...parts.keys()],
    [
      'imsmanifest.xml',
      'topics/00001.html',
      'videos/00001/a lesson.webm',
      'captions/00001/en.vtt',
      'documents/00001/01/sheet.txt',
      'topics/00002.html',
    ],
  );
  t.match(String(parts.get('imsmanifest.xml')), /<title>=SUM\(A1\)<\/title>/);
  t.match(String(parts.get('topics/00001.html')), 'One\nand one');
});

t.test('csv is the outline, safe for spreadsheets', async (t) => {
  const { bytes } = await exportFile({ format: 'csv' });
  t.strictSame(bytes.toString().split('\r\n').slice(0, 5), [
    'level,grade,subject,topic,description,content,category,externalId',
    '\'=SUM(A1),,,,"First, with ""quotes""",,,l-1',
    "'=SUM(A1),Grade,,,,,primary,",
    "'=SUM(A1),Grade,Numbers,,About numbers,,,s-1",
    '\'=SUM(A1),Grade,Numbers,Sums,Adding,"One\nand one",,t-1',
  ]);
});

t.test('a part has its ancestors, which say that their children are not all', async (t) => {
  const { bytes } = await exportFile({ format: 'json', rootType: 'topic', rootId: topic.id });
  const [found, ...others] = JSON.parse(bytes.toString()).levels;
  t.strictSame(others, []);
  t.match(found, { externalId: 'l-1', partial: true, grades: [{ partial: true, subjects: [{ partial: true }] }] });
  t.match(found.grades[0].subjects[0].topics, [{ name: 'Sums' }]);
  const part = JSON.parse((await exportFile({ format: 'json', rootType: 'grade', rootId: grade.id })).bytes.toString());
  t.notOk('partial' in part.levels[0].grades[0], 'the root itself is complete');
  t.equal(part.levels[0].grades[0].subjects.length, 2);
});

t.test('requests that cannot be exports are refused', async (t) => {
  const post = async (body: unknown, as: Parameters<typeof call>[2] = { as: admin }) => {
    const { status, json } = await call('POST', exportsPath, { ...as, body });
    return [status, json.error];
  };
  const format = 'json';
  t.strictSame(await post({ format, rootType: 'level', rootId: createId() }), [404, 'Education level not found']);
  t.strictSame(await post({ format, rootType: 'topic', rootId: level.id }), [404, 'Topic not found']);
  t.strictSame(await post({ format, rootType: 'topic', rootId: gone.id }), [404, 'Topic not found']);
  t.strictSame(await post({ format, rootType: 'grade', rootId: 'x' }), [404, 'Grade not found']);
  t.strictSame(await post({ format, rootType: 'grade' }), [422, 'Validation failed']);
  t.strictSame(await post({ format, rootId: level.id }), [422, 'Validation failed']);
  t.strictSame(await post({ format: 'pdf' }), [422, 'Validation failed']);
  t.strictSame((await post({ format }, { as: testPrincipal(['MENTOR']) }))[0], 403);
  t.strictSame((await post({ format }, {}))[0], 401);
  t.equal((await call('GET', `${exportsPath}/${createId()}`, { as: admin })).status, 404);
  t.equal((await call('GET', `${exportsPath}/x`, { as: admin })).status, 404);
});

t.test('an export is as of one moment, and takes the current file if one was replaced meanwhile', async (t) => {
  const branch = await content.createBranch();
  await attachFiles(branch.topic.id);
  const rename = (name: string) =>
    call('PUT', `/api/admin/education/topics/${branch.topic.id}`, { as: admin, body: { name } });
  let isFirst = true;
  media.intercept(async ({ method, url }) => {
    if (method === 'GET' && url?.endsWith('/video') && isFirst) {
      isFirst = false;
      await attachFiles(branch.topic.id, 'new video');
      await rename('New name');
    } else if (method === 'GET' && url?.includes('/captions/')) await rename('Latest name');
    return false;
  });
  const options = { format: 'zip', includeMedia: true, rootType: 'topic', rootId: branch.topic.id };
  const entries = readZip((await exportFile(options)).bytes);
  media.stopIntercepting();
  t.equal(entries.get('videos/00001/a lesson.webm')?.toString(), 'new video');
  t.match(String(entries.get('curriculum.json')), '"New name"');
});

t.test('an export fails if a file is lost or its root is deleted, and says which', async (t) => {
  const branch = await content.createBranch();
  await attachFiles(branch.topic.id);
  for (const address of media.media.keys()) if (address.includes(branch.topic.id)) media.media.delete(address);
  const options = { format: 'zip', includeMedia: true, rootType: 'topic', rootId: branch.topic.id };
  t.match(await finish((await start(options)).id), {
    status: 'failed',
    error: `The file a lesson.webm of ${branch.topic.name} (${branch.topic.id}) does not exist any more; remove or upload it`,
  });
  let failures = 0;
  media.intercept((_request, response) => {
    failures += 1;
    response.destroy();
    return true;
  });
  const { id } = await start(options);
  await waitFor(() => failures > 0, { until: 'the first attempt' });
  await call('DELETE', `/api/admin/education/topics/${branch.topic.id}`, { as: admin });
  media.stopIntercepting();
  await database.sql`update exports set attempts = 7, lease_until = now() where id = ${id}`;
  t.match(await finish(id), { status: 'failed', error: 'The topic to export does not exist any more' });
});

t.test('an export survives an outage of media and the end of its process', async (t) => {
  let failures = 0;
  media.intercept((_request, response) => {
    failures += 1;
    media.stopIntercepting();
    response.destroy();
    return true;
  });
  t.match(await exportFile({ format: 'json' }), { status: 'completed' });
  t.equal(failures, 1);

  // The process hangs in the middle of its upload, and its lease ends.
  let hanging = 0;
  media.intercept((request) => {
    hanging += 1;
    request.resume();
    return true;
  });
  const { id } = await start({ format: 'json' });
  await waitFor(() => hanging > 0, { until: 'the upload has begun' });
  t.match((await call('GET', `${exportsPath}/${id}`, { as: admin })).json.data, {
    status: 'running',
    downloadUrl: null,
  });
  media.stopIntercepting();
  const other = await startContent(t, { media: media.client, sharedWith: content });
  await other.app.ready();
  const continued = async () => {
    // Until another attempt begins, the hanging one may renew its lease.
    await database.sql`update exports set lease_until = now() - interval '1 second' where id = ${id} and attempts = 1`;
    const [row] = await database.sql`select attempts from exports where id = ${id}`;
    return row?.attempts > 1;
  };
  await waitFor(continued, { until: 'another attempt' });
  t.match(await finish(id), { status: 'completed' });
});

t.test('an export that ends its process in each attempt fails after the last one', async (t) => {
  let isWaiting = false;
  media.intercept((request) => {
    request.resume();
    isWaiting = true;
    return true;
  });
  const { id } = await start({ format: 'json' });
  await waitFor(() => isWaiting, { until: 'the first attempt' });
  media.stopIntercepting();
  // As the ends of eight processes leave it. With another file, this process cannot continue it.
  await database.sql`
    update exports set attempts = 8, file_id = 'ended', lease_until = now() - interval '1 second' where id = ${id}`;
  const other = await startContent(t, { media: media.client, sharedWith: content });
  await other.app.ready();
  t.match(await finish(id), { status: 'failed', percent: 0, error: /could not be completed/, downloadUrl: null });
  const [job] = await database.sql`select attempts from exports where id = ${id}`;
  t.equal(job?.attempts, 9);
});
