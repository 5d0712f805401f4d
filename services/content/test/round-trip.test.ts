import { readFile } from 'node:fs/promises';
import t from 'tap';
import { startImports } from './import-service.ts';
import { readZip } from './read-zip.ts';
import { zipOf } from './zip.ts';

type Service = Awaited<ReturnType<typeof startImports>>;
const [first, second, third] = await Promise.all([startImports(t), startImports(t), startImports(t)]);

const exportFile = (service: Service, format: string) => service.exportFile({ format, includeMedia: true });

// Everything that an item can have, then the files of its topic.
const level = await first.create('levels', {
  ...{ name: 'Primary', description: 'The first years', externalId: 'l 1/ü', imageUrl: 'https://pictures.example/1' },
});
const grade = await first.create('grades', { name: 'Grade', level: 'higher', educationLevelId: level.id });
const subject = await first.create('subjects', {
  ...{ name: '=Numbers', description: 'About <numbers>', gradeId: grade.id, mentorEmail: 'mentor@lms.test' },
});
await first.create('topics', {
  ...{
    name: 'Sums',
    description: 'Adding',
    content: 'One & one\n\n<is> two',
    subjectId: subject.id,
    externalId: 't-1',
  },
});
await first.create('topics', {
  ...{
    name: 'Powers',
    description: "'-x and ''=x",
    content: '<p>Two<sup>2</sup></p>',
    subjectId: subject.id,
    isActive: false,
  },
});
await first.create('levels', { name: 'Empty', description: 'x', isActive: false });
const topic = {
  ...{ name: 'Sums', externalId: 't-1' },
  video: {
    file: 'a lesson.webm',
    captions: [{ language: 'en', file: 'en.vtt', label: 'English', kind: 'subtitles', default: true }],
  },
  documents: [
    { file: 'sheet ü.txt', name: 'Sheet', description: 'To print' },
    { file: 'more/sheet ü.txt', name: 'More' },
  ],
};
const curriculum = {
  version: 1,
  levels: [
    {
      ...{ name: 'Primary', externalId: 'l 1/ü', partial: true },
      grades: [{ name: 'Grade', partial: true, subjects: [{ name: '=Numbers', partial: true, topics: [topic] }] }],
    },
  ],
};
const files = {
  'curriculum.json': JSON.stringify(curriculum),
  'a lesson.webm': await readFile(new URL('../../media/test/assets/lesson.webm', import.meta.url)),
  'en.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n',
  'sheet ü.txt': 'one sheet',
  'more/sheet ü.txt': 'another sheet',
};
t.match(await first.run('files.zip', zipOf(files)), { status: 'completed', issues: [], counts: { media: 4 } });

t.test('a ZIP is the same bytes after it was imported into an empty system', async (t) => {
  const bytes = await exportFile(first, 'zip');
  t.equal(readZip(bytes).get('videos/00001/a lesson.webm')?.length, files['a lesson.webm'].length);
  t.match(await second.run('export.zip', bytes), {
    ...{ status: 'completed', issues: [] },
    counts: { created: 6, updated: 0, unchanged: 0, deleted: 0, media: 4 },
  });
  t.ok((await exportFile(second, 'zip')).equals(bytes));
  t.match(await second.run('export.zip', bytes, '?mode=mirror'), { counts: { unchanged: 6, deleted: 0 } });
});

t.test('the CSV of a system changes nothing in it', async (t) => {
  const bytes = await exportFile(first, 'csv');
  t.match(await first.run('export.csv', bytes), { status: 'completed', issues: [], counts: { unchanged: 6 } });
});

t.test('a Common Cartridge is the same, except for the ids of items without an external id', async (t) => {
  const bytes = await exportFile(first, 'imscc');
  t.match(await third.run('export.imscc', bytes), {
    status: 'completed',
    issues: [],
    counts: { created: 6, media: 4 },
  });
  const entries = (archive: Buffer) =>
    [...readZip(archive)].map(([name, data]) => [name, data.toString('latin1').replaceAll(/-id-[a-z0-9]{24}/g, '-id')]);
  t.strictSame(entries(await exportFile(third, 'imscc')), entries(bytes));
  const mentors = await third.database.sql`select from nodes where mentor_email is not null`;
  t.equal(mentors.length, 0, 'mentors are the one thing that a cartridge leaves out');
});

t.test('texts that compress more than 200 times are exported without compression, and imported again', async (t) => {
  const topics = ['first', 'second'].map((name) => ({ name, description: 'x', content: 'a'.repeat(900_000) }));
  const grades = [{ name: 'G', level: 'primary', subjects: [{ name: 'S', description: 'x', topics }] }];
  const created = await third.runJson([{ name: 'Repeated', description: 'x', grades }]);
  t.match(created, { status: 'completed', counts: { created: 5 } });
  for (const format of ['zip', 'imscc']) {
    const bytes = await exportFile(third, format);
    t.ok(bytes.length > 1_800_000, `${format} is not compressed`);
    const again = await third.run(`export.${format}`, bytes);
    t.match(again, { status: 'completed', issues: [], counts: { unchanged: 11 } }, format);
  }
});
