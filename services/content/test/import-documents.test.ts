import { maxDocuments } from '@lms/contracts/topic-documents';
import { createId } from '@lms/database/columns';
import t from 'tap';
import { startImports } from './import-service.ts';
import { zipOf } from './zip.ts';

const { run, upload, database } = await startImports(t);

const archiveOf = (name: string, files: Record<string, string>, description = '') => {
  const documents = Object.keys(files).map((file) => ({ file, description }));
  const topics = [{ name, description: 'x', content: 'x', documents }];
  const grades = [{ name: 'G', level: 'primary', subjects: [{ name: 'S', description: 'x', topics }] }];
  return zipOf({
    'curriculum.json': JSON.stringify({ version: 1, levels: [{ name, description: 'x', grades }] }),
    ...files,
  });
};
const documentsOf = async (name: string): Promise<Record<string, string>[]> => {
  const [row] = await database.sql`select documents from nodes where kind = 'topic' and name = ${name}`;
  return row?.documents ?? [];
};
/** Adds documents to a topic until it has this number. */
async function fill(name: string, count: number, description = '') {
  const stored = await documentsOf(name);
  const [pattern] = stored;
  const added = Array.from({ length: count - stored.length }, (_, index) => {
    return { ...pattern, id: createId(), name: `Other ${index}`, description };
  });
  await database.sql`update nodes set documents = ${JSON.stringify([...stored, ...added])}::text::jsonb
    where kind = 'topic' and name = ${name}`;
}
const pointer = '/levels/0/grades/0/subjects/0/topics/0/documents';
const tooMany = { status: 'failed', issues: [{ severity: 'error', code: 'TOO_MANY_DOCUMENTS', pointer }] };

t.test('an import that would give a topic too many documents fails as a whole, and says so in a dry run', async (t) => {
  await run('course.zip', archiveOf('Many', { 'a.txt': 'a' }));
  await fill('Many', maxDocuments - 1);
  const two = archiveOf('Many', { 'b.txt': 'b', 'c.txt': 'c' });
  const { status, data } = await upload('course.zip', two, '?dryRun=true');
  t.equal(status, 200);
  t.match(data, tooMany);
  t.match(await run('course.zip', two), tooMany);
  t.match(await run('course.zip', two, '?mode=mirror'), tooMany, 'a mirror deletes the others at its end');
  t.equal((await documentsOf('Many')).length, maxDocuments - 1);
  t.match(await run('course.zip', archiveOf('Many', { 'b.txt': 'b' })), { status: 'completed', counts: { media: 1 } });
  t.equal((await documentsOf('Many')).length, maxDocuments);
});

t.test('an import that would give a topic too long descriptions fails as a whole', async (t) => {
  await run('course.zip', archiveOf('Long', { 'a.txt': 'a' }));
  await fill('Long', 140, 'x'.repeat(5_000));
  t.match(await run('course.zip', archiveOf('Long', { 'b.txt': 'b' }, 'x'.repeat(5_000))), { status: 'completed' });
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}.txt`, 'x']));
  t.match(await run('course.zip', archiveOf('Long', files, 'x'.repeat(5_000))), tooMany);
  t.equal((await documentsOf('Long')).length, 141);
});

t.test('an import replaces documents of a topic that has as many as possible', async (t) => {
  await run('course.zip', archiveOf('Full', { 'a.txt': 'a', 'b.txt': 'b' }));
  await fill('Full', maxDocuments);
  const changed = archiveOf('Full', { 'a.txt': 'other', 'b.txt': 'other' });
  t.match(await run('course.zip', changed), { status: 'completed', counts: { media: 2 }, issueCount: 0 });
  t.equal((await documentsOf('Full')).length, maxDocuments);
});

t.test('a topic from before there was a limit can be imported again with the documents that it has', async (t) => {
  const archive = archiveOf('Old', { 'a.txt': 'a', 'b.txt': 'b' });
  await run('course.zip', archive);
  await fill('Old', maxDocuments + 500);
  t.match(await run('course.zip', archive), { status: 'completed', counts: { media: 0 }, issueCount: 0 });
  t.match(await run('course.zip', archiveOf('Old', { 'c.txt': 'c' })), tooMany);
});
