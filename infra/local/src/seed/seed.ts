import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Client, unwrap } from '@lms/client';
import { ZipFile } from 'yazl';
import { untilFinished } from '../job.ts';
import { messageOf, StartFailed } from '../supervisor/process.ts';
import { createServiceClient, registerAccounts, type SeedTarget, seedAdmin } from './accounts.ts';

/** The state of the seeding: an interrupted one is completed, a completed one is never repeated. */
interface Progress {
  accounts: boolean;
  school: 'none' | 'begun' | 'done';
}

const fileIn = (directory: string) => join(directory, 'seed.json');

/** Whether the seeding of a data directory is complete. */
export function isSeeded(directory: string, sampleContent: boolean): boolean {
  const { accounts, school } = readProgress(directory);
  return accounts && (school === 'done' || !sampleContent);
}

/** Runs once per data directory, and only in an empty system, so that later changes and deletions are never reverted. */
export async function seed(target: SeedTarget, directory: string, report: (line: string) => void): Promise<void> {
  const { providerUrl, sampleContent } = target;
  if (isSeeded(directory, sampleContent)) return;
  const { school } = readProgress(directory);
  try {
    const { admin, learner } = providerUrl ? await registerAccounts(target, providerUrl) : { admin: seedAdmin };
    writeProgress(directory, { accounts: true, school });
    if (!sampleContent) return;
    const content = createServiceClient(target, 'content', admin);
    const query = { includeDeleted: true, limit: 1 };
    const levels = await unwrap(content.GET('/api/admin/education/levels', { params: { query } }));
    if (school === 'none' && levels.length > 0) {
      report('seed               skipped: the system already has content');
    } else {
      writeProgress(directory, { accounts: true, school: 'begun' });
      await importSchool(content, report);
      const enrollmentOf = (user: typeof admin) => createServiceClient(target, 'enrollment', user);
      if (learner) await enrollLearner(content, enrollmentOf(admin), enrollmentOf(learner));
      report('seed               sample content created');
    }
    writeProgress(directory, { accounts: true, school: 'done' });
  } catch (error) {
    throw new StartFailed('seed', messageOf(error));
  }
}

function readProgress(directory: string): Progress {
  const file = fileIn(directory);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { accounts: false, school: 'none' };
}

function writeProgress(directory: string, progress: Progress): void {
  const file = fileIn(directory);
  writeFileSync(`${file}.tmp`, `${JSON.stringify(progress)}\n`, { flush: true });
  renameSync(`${file}.tmp`, file);
}

/** Imports the sample content. What exists from an interrupted attempt stays. */
async function importSchool(content: Client, report: (line: string) => void): Promise<void> {
  const open = await unwrap(content.GET('/api/admin/education/imports', { params: { query: { limit: 100 } } }));
  // The import of an interrupted attempt would otherwise be continued later. If it has just ended, it cannot be cancelled.
  for (const { id, finishedAt } of open)
    if (finishedAt === null)
      await content.POST('/api/admin/education/imports/{id}/cancel', { params: { path: { id } } });

  const started = await unwrap(content.importCurriculum({ file: await createArchive() }));
  const { status, issues } = await untilFinished(started, (id) =>
    unwrap(content.GET('/api/admin/education/imports/{id}', { params: { path: { id } } })),
  );
  if (status !== 'completed')
    throw new Error(`The import of the sample content is ${status}: ${JSON.stringify(issues).slice(0, 500)}`);
  // The sample content is usable without its files.
  for (const { pointer, message } of issues) report(`seed               ${pointer}: ${message}`);
}

/** The curriculum with its files. */
async function createArchive(): Promise<File> {
  const archive = new ZipFile();
  const add = (asset: string, name = asset) =>
    archive.addFile(fileURLToPath(new URL(`../../assets/${asset}`, import.meta.url)), name);
  add('school.json', 'curriculum.json');
  for (const file of ['number-line.mp4', 'number-line.vtt', 'whole-numbers.pdf']) add(file);
  archive.end();
  return new File([await buffer(archive.outputStream)], 'school.zip', { type: 'application/zip' });
}

/** Enrolls the learner in the subject of the mentor, unless an interrupted attempt has. */
async function enrollLearner(content: Client, admin: Client, learner: Client): Promise<void> {
  const params = { query: { externalId: 'sample-mathematics' } };
  const [subject] = await unwrap(content.GET('/api/admin/education/subjects', { params }));
  const subjectId = subject?.id ?? '';
  const [existing] = await unwrap(learner.GET('/api/enrollment', { params: { query: { subjectId } } }));
  const body = { subjectId, message: 'I would like to learn about whole numbers.' };
  const { id, status } = existing ?? (await unwrap(learner.POST('/api/enrollment/request', { body })));
  if (status === 'PENDING') await unwrap(admin.PUT('/api/admin/enrollment/{id}/approve', { params: { path: { id } } }));
}
