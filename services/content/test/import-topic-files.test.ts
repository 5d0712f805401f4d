import { readFile } from 'node:fs/promises';
import t from 'tap';
import { ImportInterrupted } from '../src/imports/attempt.ts';
import { collectIssues } from '../src/imports/collect-issues.ts';
import { importItems } from '../src/imports/items-repository.ts';
import { imports } from '../src/imports/repository.ts';
import { storeMedia } from '../src/imports/store-media.ts';
import { admin } from './content-service.ts';
import { startImports } from './import-service.ts';
import { zipOf } from './zip.ts';

const { run, runJson, database, nodes, call } = await startImports(t);
const video = await readFile(new URL('../../media/test/assets/lesson.webm', import.meta.url));
const vtt = (text: string) => `WEBVTT\n\n00:00.000 --> 00:01.000\n${text}\n`;

/** An archive with one topic of this name. */
function archiveOf(name: string, topic: Record<string, unknown>, files: Record<string, Buffer | string>) {
  const topics = [{ name, description: 'x', content: 'x', ...topic }];
  const grades = [{ name: 'G', level: 'primary', subjects: [{ name: 'S', description: 'x', topics }] }];
  const levels = [{ name: `${name} level`, description: 'x', grades }];
  return zipOf({ 'curriculum.json': JSON.stringify({ version: 1, levels }), ...files });
}
const topicOf = async (name: string) => {
  const row = (await nodes()).get(name);
  return (await call('GET', `/api/admin/education/topics/${row?.id}`, { as: admin })).json.data;
};

t.test('a video that media refuses leaves the old one and its captions as they are', async (t) => {
  const topic = (file: string, label: string) => ({
    video: { file, captions: [{ language: 'en', file: 'en.vtt', label }] },
    documents: [{ file: 'notes.txt' }],
  });
  const files = { 'notes.txt': 'notes', 'a.webm': video, 'b.mp4': '%PDF-1.7 not a video' };
  await run('course.zip', archiveOf('Refused', topic('a.webm', 'Old'), { ...files, 'en.vtt': vtt('Old') }));
  const before = await topicOf('Refused');
  t.match(before, { video: { fileName: 'a.webm', captions: [{ label: 'Old' }] } });
  const changed = { ...files, 'en.vtt': vtt('New'), 'notes.txt': 'other notes' };
  t.match(await run('course.zip', archiveOf('Refused', topic('b.mp4', 'New'), changed)), {
    ...{ status: 'completed', percent: 100, counts: { media: 1 }, issueCount: 1 },
    issues: [{ code: 'UNSUPPORTED_FORMAT', pointer: '/levels/0/grades/0/subjects/0/topics/0/video/file' }],
  });
  t.strictSame((await topicOf('Refused')).video, before.video);
});

t.test('another attempt does not store the captions of a video that was refused', async (t) => {
  const ended = await runJson([{ name: 'Interrupted', description: 'x' }]);
  const { db } = database;
  const job = await imports(db).find(ended.id);
  if (!job) throw new Error('the import has disappeared');
  const row = (topicId: string, kind: 'video' | 'captions', file: string) => ({
    ...{ topicId, kind, location: '/x' },
    entry: { file, ...(kind === 'captions' && { language: 'en' }) },
  });
  await importItems(db, job.id).addMedia(0, [
    row('first', 'video', 'b.mp4'),
    row('first', 'captions', 'en.vtt'),
    row('second', 'captions', 'en.vtt'),
  ]);
  const stored: string[] = [];
  const media: object = {
    uploadVideo: async () => Promise.reject({ statusCode: 415, code: 'UNSUPPORTED_FORMAT', message: 'x' }),
    findCaptionsChecksum: async () => undefined,
    uploadCaptions: async (_actor: unknown, topicId: string) => stored.push(topicId),
  };
  const outline: object = {
    listTopicMedia: async (_db: unknown, [id]: string[]) => new Map([[id, { video: null, documents: [] }]]),
  };
  const file = (name: string) => ({ name, size: 1, open: async () => [] });
  const archive: object = { entries: new Map(['b.mp4', 'en.vtt'].map((name) => [name, file(name)])) };
  const issues = collectIssues(job);
  let steps = 1;
  const attempt: object = {
    update: async () => job,
    reach: async () => {
      if (steps === 0) throw new ImportInterrupted();
      steps -= 1;
    },
  };
  const store = async () => {
    const deps = { database, outline, media };
    await storeMedia(...([deps, job, archive, attempt, issues] as unknown as Parameters<typeof storeMedia>));
  };
  await t.rejects(store, { name: 'ImportInterrupted' });
  t.equal(issues.result().issueCount, 1);
  steps = 10;
  await store();
  t.strictSame(stored, ['second']);
  t.match(await importItems(db, job.id).countMedia(), { total: 3, done: 3 });
});

t.test('a topic keeps documents that are equal, and gets each of them once', async (t) => {
  const documents = ['a.txt', 'copy.txt', 'a.txt'].map((file) => ({ file, name: 'Notes', description: 'x' }));
  const archive = (last = 'a', count = 3) =>
    archiveOf('Equal', { documents: documents.slice(0, count) }, { 'a.txt': 'a', 'copy.txt': last });
  const sizes = async () => (await topicOf('Equal')).documents.map(({ size }: { size: number }) => size);
  t.match(await run('course.zip', archive()), { status: 'completed', issues: [], counts: { media: 3 } });
  t.strictSame(await sizes(), [1, 1, 1]);
  t.match(await run('course.zip', archive()), { counts: { media: 0 } });
  t.match(await run('course.zip', archive('more')), { counts: { media: 1 } });
  t.strictSame(await sizes(), [1, 1, 4], 'one of them is replaced');
  t.match(await run('course.zip', archive('a')), { counts: { media: 1 } });
  t.strictSame(await sizes(), [1, 1, 1]);
});

t.test('a mirror removes the captions that the file leaves out, with a video that media does not refuse', async (t) => {
  const files = { 'a.webm': video, 'b.mp4': '%PDF-1.7 not a video', 'en.vtt': vtt('One') };
  const importWith = (file: string, languages: string[] | undefined, query: string) => {
    const captions = languages?.map((language) => ({ language, file: 'en.vtt' }));
    return run('course.zip', archiveOf('Captions', { video: { file, captions } }, files), query);
  };
  const languages = async () =>
    (await topicOf('Captions')).video.captions.map(({ language }: { language: string }) => language).sort();
  await importWith('a.webm', ['de', 'en-GB', 'fr'], '');
  for (const [file, given, query, expected] of [
    ['a.webm', ['en-GB'], '?mode=upsert', ['de', 'en-GB', 'fr']],
    ['a.webm', undefined, '?mode=mirror', ['de', 'en-GB', 'fr']],
    ['b.mp4', ['en-GB'], '?mode=mirror', ['de', 'en-GB', 'fr']],
    ['a.webm', ['EN-gb', 'fr'], '?mode=mirror', ['en-GB', 'fr']],
    ['a.webm', [], '?mode=mirror', []],
  ] as const) {
    const result = await importWith(file, given && [...given], query);
    t.match(result, { status: 'completed', counts: { media: 0 }, issueCount: file === 'b.mp4' ? 1 : 0 });
    t.strictSame(await languages(), expected, `${file} ${given} ${query}`);
  }
});
