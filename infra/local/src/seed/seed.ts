import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap } from '@lms/client';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { messageOf, StartFailed } from '../supervisor/process.ts';
import { createServiceClients, registerAccounts, type SeedTarget, seedAdmin } from './accounts.ts';
import { assignMentor, enrollLearner, findFirstTopic, importSchool, uploadFiles } from './sample-content.ts';

/** The state of the seeding: an interrupted one is completed, a completed one is never repeated. */
const Progress = Type.Object({
  accounts: Type.Boolean(),
  school: Type.Union([Type.Literal('none'), Type.Literal('begun'), Type.Literal('done')]),
});
type Progress = Static<typeof Progress>;

const fileIn = (directory: string) => join(directory, 'seed.json');

/** Whether the seeding of a data directory is complete. */
export function isSeeded(directory: string, sampleContent: boolean): boolean {
  const { accounts, school } = readProgress(fileIn(directory));
  return accounts && (school === 'done' || !sampleContent);
}

/** Runs once per data directory, and only in an empty system, so that later changes and deletions are never reverted. */
export async function seed(target: SeedTarget, directory: string, report: (line: string) => void): Promise<void> {
  const { providerUrl, sampleContent } = target;
  if (isSeeded(directory, sampleContent)) return;
  const file = fileIn(directory);
  const progress = readProgress(file);
  try {
    const accounts = providerUrl ? await registerAccounts(target, providerUrl) : undefined;
    writeProgress(file, { ...progress, accounts: true });
    if (!sampleContent) return;
    const admin = accounts?.admin.roles.includes('ADMIN') ? accounts.admin : seedAdmin;
    const clients = await createServiceClients(target, admin);
    const query = { includeDeleted: true, limit: 1 };
    const levels = () => unwrap(clients.content.GET('/api/admin/education/levels', { params: { query } }));
    if (progress.school === 'none' && (await levels()).length > 0) {
      report('seed               skipped: the system already has content');
    } else {
      writeProgress(file, { accounts: true, school: 'begun' });
      await importSchool(clients);
      const first = await findFirstTopic(clients);
      if (accounts) await assignMentor(clients, first, accounts.mentor);
      await uploadFiles(clients, first, report);
      if (accounts) await enrollLearner(await createServiceClients(target, accounts.learner), clients, first);
      report('seed               sample content created');
    }
    writeProgress(file, { accounts: true, school: 'done' });
  } catch (error) {
    throw new StartFailed('seed', messageOf(error));
  }
}

function readProgress(file: string): Progress {
  if (!existsSync(file)) return { accounts: false, school: 'none' };
  return Value.Parse(Progress, JSON.parse(readFileSync(file, 'utf8')));
}

function writeProgress(file: string, progress: Progress): void {
  writeFileSync(`${file}.tmp`, `${JSON.stringify(progress)}\n`, { flush: true });
  renameSync(`${file}.tmp`, file);
}
