import { readFile } from 'node:fs/promises';
import t from 'tap';
import { admin } from './content-service.ts';
import { startImports } from './import-service.ts';
import { zipOf } from './zip.ts';

const { call, run, runJson, nodes, exportFile } = await startImports(t);
const video = await readFile(new URL('../../media/test/assets/lesson.webm', import.meta.url));

const adminPath = '/api/admin/education';
const idOf = async (name: string) => String((await nodes()).get(name)?.id);
const topicOf = async (name: string) =>
  (await call('GET', `${adminPath}/topics/${await idOf(name)}`, { as: admin })).json.data;

/** Imports a school with a topic that has a video and documents. */
async function importSchool(prefix: string) {
  const topic = {
    ...{ name: `${prefix} topic`, description: 'x', content: 'Text', position: 4 },
    ...{ video: { file: 'a.webm' }, documents: [{ file: 'a.txt', name: 'A' }] },
  };
  const named = (kind: string) => ({ name: `${prefix} ${kind}`, description: 'x', position: 3 });
  const subjects = [{ ...named('subject'), topics: [topic] }];
  const grades = [{ ...named('grade'), level: 'primary', subjects }];
  const curriculum = JSON.stringify({ version: 1, levels: [{ ...named('level'), grades }] });
  const result = await run(
    `${prefix}.zip`,
    zipOf({ 'curriculum.json': curriculum, 'a.webm': video, 'a.txt': 'document' }),
  );
  t.match(result, { status: 'completed', issues: [], counts: { created: 4, media: 2 } });
}

t.test('a cartridge of our own without media keeps videos, documents and pictures', async (t) => {
  await importSchool('Kept');
  const bytes = await exportFile({ format: 'imscc' });
  const imageUrl = 'https://pictures.example/1';
  await call('PUT', `${adminPath}/subjects/${await idOf('Kept subject')}`, { as: admin, body: { imageUrl } });
  for (const mode of ['upsert', 'mirror']) {
    const result = await run('export.imscc', bytes, `?mode=${mode}`);
    t.match(result, { status: 'completed', issues: [], counts: { deleted: 0, media: 0 } }, mode);
    const { video: kept, documents } = await topicOf('Kept topic');
    t.match({ kept, documents }, { kept: { fileName: 'a.webm' }, documents: [{ name: 'A' }] }, mode);
    t.equal((await nodes()).get('Kept subject')?.image_url, imageUrl, mode);
  }
});

t.test('a cartridge of our own with media replaces what it names, and a mirror removes other documents', async (t) => {
  await importSchool('Named');
  const bytes = await exportFile({ format: 'imscc', includeMedia: true });
  const documents = [{ file: 'b.txt', name: 'B' }];
  const topics = [{ name: 'Named topic', documents }];
  const grades = [{ name: 'Named grade', subjects: [{ name: 'Named subject', topics }] }];
  const curriculum = JSON.stringify({ version: 1, levels: [{ name: 'Named level', grades }] });
  t.match(await run('more.zip', zipOf({ 'curriculum.json': curriculum, 'b.txt': 'more' })), { counts: { media: 1 } });
  const names = async () => (await topicOf('Named topic')).documents.map(({ name }: { name: string }) => name).sort();
  await run('export.imscc', bytes);
  t.strictSame(await names(), ['A', 'B'], 'upsert');
  t.match(await run('export.imscc', bytes, '?mode=mirror'), { status: 'completed', issues: [] });
  t.strictSame(await names(), ['A'], 'mirror');
  t.match((await topicOf('Named topic')).video, { fileName: 'a.webm' });
});

t.test('names and texts of a cartridge of our own are exactly those of the items', async (t) => {
  const names = ['Grade\u00a05', 'two  spaces', 'wide\u3000space', 'two\nlines\tand\u0085more', '😀'.repeat(200)];
  const [description, level] = ['x', 'primary'];
  const topics = names.map((name) => ({ name, description, content: 'x' }));
  const subjects = names.map((name) => ({ name, description, topics }));
  subjects.push({ name: 'Texts', description, topics: [{ name: 'Long', description, content: '😀'.repeat(600_000) }] });
  const grades = [{ name: 'Exact\u00a0grade', level, subjects }];
  await runJson([{ name: 'Exact  level', description, grades }]);
  const bytes = await exportFile({ format: 'imscc', rootType: 'level', rootId: await idOf('Exact  level') });
  const result = await run('export.imscc', bytes);
  t.match(result, { status: 'completed', issues: [], counts: { created: 0, updated: 0, unchanged: 34, deleted: 0 } });
});

t.test('a cartridge of a part of a curriculum keeps the positions of what is above the part', async (t) => {
  await importSchool('Part');
  const positions = async () => [...(await nodes()).values()].map(({ name, position }) => [name, position]);
  const before = await positions();
  const bytes = await exportFile({ format: 'imscc', rootType: 'subject', rootId: await idOf('Part subject') });
  t.match(await run('part.imscc', bytes), { status: 'completed', issues: [] });
  const isTopic = ([name]: unknown[]) => name === 'Part topic';
  t.strictSame(
    (await positions()).filter((row) => !isTopic(row)),
    before.filter((row) => !isTopic(row)),
  );
});

t.test('what was added to the items of a foreign cartridge stays when it is imported again', async (t) => {
  const item = (title: string, inner: string, resource = '') =>
    `<item identifier="${title}"${resource}><title>${title}</title>${inner}</item>`;
  const manifest = `<manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion></metadata>
  <organizations><organization identifier="o" structure="rooted-hierarchy"><item identifier="root">${item(
    'Foreign level',
    item(
      'Foreign grade',
      item(
        'Foreign subject',
        item('Foreign page', '', ' identifierref="r"') + item('Foreign film', '', ' identifierref="v"'),
      ),
    ),
  )}</item></organization></organizations>
  <resources><resource identifier="r" type="webcontent" href="page.html"><file href="page.html"/></resource>
  <resource identifier="v" type="webcontent" href="film.webm"><file href="film.webm"/></resource></resources></manifest>`;
  const bytes = zipOf({ 'imsmanifest.xml': manifest, 'page.html': '<p>Hello</p>', 'film.webm': video });
  t.match(await run('course.imscc', bytes), { status: 'completed', counts: { created: 5, media: 1 } });

  const described = (name: string) => ({ name, description: 'Mine', externalId: name, isActive: false });
  const imageUrl = 'https://pictures.example/2';
  const page = { ...described('Foreign page'), video: { file: 'a.webm' }, documents: [{ file: 'a.txt' }] };
  const captioned = { file: 'a.webm', captions: [{ language: 'en', file: 'en.vtt' }] };
  const topics = [page, { name: 'Foreign film', description: 'Mine', video: captioned }];
  const subjects = [{ ...described('Foreign subject'), imageUrl, topics }];
  const grades = [{ ...described('Foreign grade'), level: 'primary', imageUrl, subjects }];
  const levels = [{ ...described('Foreign level'), position: 7, imageUrl, grades }];
  const curriculum = JSON.stringify({ version: 1, levels });
  const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n';
  const files = { 'curriculum.json': curriculum, 'a.webm': video, 'a.txt': 'x', 'en.vtt': vtt };
  t.match(await run('mine.zip', zipOf(files)), { issues: [], counts: { updated: 5, media: 3 } });
  const shown = async () => [await nodes(), await topicOf('Foreign page'), await topicOf('Foreign film')];
  const before = await shown();
  for (const mode of ['upsert', 'mirror']) {
    t.match(
      await run('course.imscc', bytes, `?mode=${mode}`),
      { counts: { unchanged: 5, deleted: 0, media: 0 } },
      mode,
    );
    t.strictSame(await shown(), before, mode);
  }
});
