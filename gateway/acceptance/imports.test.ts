import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ZipFile } from 'yazl';
import { adminToken, call, createUser, unique } from './system.ts';

const token = await adminToken();
const path = '/api/admin/education/imports';
const asset = (name: string) => readFileSync(new URL(`../../infra/local/assets/${name}`, import.meta.url));

/** A ZIP archive of these files. */
function zipOf(files: Record<string, Buffer | string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), name);
  zip.end();
  return buffer(zip.outputStream);
}

function send(name: string, bytes: Buffer | string, query = '') {
  const form = new FormData();
  form.append('file', new File([Buffer.from(bytes)], name));
  return call(`${path}${query}`, { method: 'POST', token, form });
}

async function untilEnded(id: string) {
  for (let count = 0; count < 600; count += 1) {
    const data = (await call(`${path}/${id}`, { token })).body?.data;
    if (typeof data?.finishedAt === 'string') return data;
    await sleep(100);
  }
  throw new Error(`the import ${id} does not end`);
}

async function run(name: string, bytes: Buffer | string, query = '') {
  const { status, body } = await send(name, bytes, query);
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  return untilEnded(body.data.id);
}

const level = unique('Imported');
const find = async (kind: string, name: string) => {
  const { body } = await call(`/api/admin/education/${kind}?search=${encodeURIComponent(name)}`, { token });
  return body.data;
};
const topic = {
  ...{
    name: unique('Counting'),
    externalId: unique('counting'),
    description: 'One by one',
    content: 'One, two, three',
  },
  video: { file: 'media/film.mp4', captions: [{ language: 'en', file: 'media/film.vtt' }] },
  documents: [{ file: 'media/sheet.pdf', name: 'Sheet' }],
};
const outlineOf = (topics: object[]) =>
  JSON.stringify({
    version: 1,
    levels: [
      {
        ...{ name: level, description: 'x' },
        grades: [{ name: 'Grade', level: 'primary', subjects: [{ name: 'Subject', description: 'x', topics }] }],
      },
    ],
  });
const media = {
  'media/film.mp4': asset('number-line.mp4'),
  'media/film.vtt': asset('number-line.vtt'),
  'media/sheet.pdf': asset('whole-numbers.pdf'),
};

t.test(
  'a curriculum is checked, imported with its files, changed by a CSV, and goes out and in as a cartridge',
  async (t) => {
    const archive = await zipOf({ 'curriculum.json': outlineOf([topic]), ...media });
    const dry = await send('course.zip', archive, '?dryRun=true');
    t.match(dry, {
      status: 200,
      body: { data: { status: 'completed', counts: { created: 4, media: 3 }, issues: [] } },
    });
    t.same(await find('levels', level), [], 'a dry run changes nothing');

    t.match(await run('course.zip', archive), { status: 'completed', counts: { created: 4, media: 3 }, issues: [] });
    const [imported] = await find('topics', topic.name);
    t.match(imported, { externalId: topic.externalId, video: { captions: [{ language: 'en' }] } });
    const { bytes } = await call(`/api/education/topics/${imported.id}/video`, { token });
    t.ok(bytes.equals(media['media/film.mp4']), 'the video is stored as it is');
    t.match(await run('course.zip', archive), { counts: { created: 0, updated: 0, unchanged: 4, media: 0 } });

    const csv = `level,grade,subject,topic,description,content\n${level},Grade,Subject,More,A second topic,Four\n`;
    t.match(await run('more.csv', csv), { status: 'completed', counts: { created: 1 } });

    const [{ id: rootId }] = await find('levels', level);
    const json = { format: 'imscc', rootType: 'level', rootId, includeMedia: true };
    const { body } = await call('/api/admin/education/exports', { method: 'POST', token, json });
    const exported = `/api/admin/education/exports/${body.data.id}`;
    let job = body.data;
    for (let count = 0; count < 600 && !['completed', 'failed'].includes(job.status); count += 1) {
      await sleep(100);
      job = (await call(exported, { token })).body?.data ?? job;
    }
    t.match(job, { status: 'completed' });
    const cartridge = await call(job.downloadUrl);
    t.match(await run('course.imscc', cartridge.bytes), {
      status: 'completed',
      issues: [],
      counts: { created: 0, deleted: 0, media: 0 },
    });
  },
);

t.test('a refused archive leaves nothing, and names the entry', async (t) => {
  const name = unique('Refused');
  const outline = outlineOf([{ ...topic, name, externalId: name }]);
  const archive = await zipOf({ 'curriculum.json': outline, ...media, 'xx/escape.txt': 'x' });
  // yazl writes no such name itself; both have the same length.
  const hostile = Buffer.from(archive.toString('latin1').replaceAll('xx/escape.txt', '../escape.txt'), 'latin1');
  const refused = await run('course.zip', hostile);
  t.match(refused, { status: 'failed', issues: [{ severity: 'error', code: 'REFUSED_ARCHIVE' }] });
  t.match(refused.issues[0].message, '../escape.txt');
  t.same(await find('topics', name), []);
});

t.test('an import is cancelled, and is for administrators only', async (t) => {
  const topics = Array.from({ length: 60 }, (_, index) => ({
    ...{ name: `Topic ${index}`, description: 'x', content: 'x' },
    documents: [{ file: 'media/sheet.pdf' }],
  }));
  const { body } = await send(
    'long.zip',
    await zipOf({ 'curriculum.json': outlineOf(topics), 'media/sheet.pdf': media['media/sheet.pdf'] }),
  );
  const cancelled = await call(`${path}/${body.data.id}/cancel`, { method: 'POST', token });
  const ended = await untilEnded(body.data.id);
  // All files may have been stored before the request arrived.
  if (ended.status === 'cancelled') t.equal(cancelled.status, 200);
  else t.match(ended, { status: 'completed', counts: { created: 60 } });

  const learner = await createUser('learner');
  const read = await call(`${path}/${body.data.id}`, { token: learner.token });
  t.match(read, { status: 403, body: { code: 'FORBIDDEN' } });
  t.equal((await call(path)).status, 401);
});
