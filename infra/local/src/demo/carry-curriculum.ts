import { setTimeout as pause } from 'node:timers/promises';
import type { DemoSession, DemoUser } from './demo-session.ts';
import { assert, expect } from './expect.ts';

const ended = ['completed', 'failed', 'cancelled'];
const pollMs = 500;

/** A file brings a course in, with a dry run first, and an export takes it out again. */
export async function carryCurriculum(
  { printStep }: DemoSession,
  { admin: { client }, suffix }: { admin: DemoUser; suffix: string },
) {
  printStep('The administrator imports a course from a file: first a dry run, then the import.');
  const text = { description: 'From a file' };
  const topics = ['Points', 'Lines'].map((name) => ({ ...text, name, externalId: `${name}-${suffix}`, content: name }));
  const subjects = [{ ...text, name: 'Geometry', externalId: `geometry-${suffix}`, topics }];
  const grades = [{ ...text, name: 'Year 8', externalId: `year-8-${suffix}`, level: 'secondary', subjects }];
  const levels = [{ ...text, name: `Imported school ${suffix}`, externalId: `school-${suffix}`, grades }];
  const file = new File([JSON.stringify({ version: 1, levels })], 'course.json', { type: 'application/json' });
  const checked = await expect(200, client.importCurriculum({ file, dryRun: true }));
  assert(checked.counts.created === 5 && checked.issueCount === 0, 'the file should create five items');
  let imported = await expect(202, client.importCurriculum({ file }));
  while (!ended.includes(imported.status)) {
    await pause(pollMs);
    const params = { path: { id: imported.id } };
    imported = await expect(200, client.GET('/api/admin/education/imports/{id}', { params }));
  }
  assert(imported.status === 'completed' && imported.counts.created === 5, 'the import should create five items');

  printStep('The administrator exports the subject again, and downloads the file by its signed address.');
  const query = { externalId: `geometry-${suffix}` };
  const [subject] = await expect(200, client.GET('/api/admin/education/subjects', { params: { query } }));
  const body = { format: 'json', rootType: 'subject', rootId: subject?.id ?? null } as const;
  let exported = await expect(202, client.POST('/api/admin/education/exports', { body }));
  while (exported.finishedAt === null) {
    await pause(pollMs);
    const params = { path: { id: exported.id } };
    exported = await expect(200, client.GET('/api/admin/education/exports/{id}', { params }));
  }
  const downloaded = await (await fetch(exported.downloadUrl ?? '')).text();
  for (const { externalId } of topics) assert(downloaded.includes(externalId), `the file should contain ${externalId}`);
}
