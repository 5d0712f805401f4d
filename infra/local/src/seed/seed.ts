import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { StartFailed } from '../supervisor/process-definition.ts';
import { type Accounts, registerAccounts, type SeedTarget, seedAdmin } from './accounts.ts';
import { enrollLearner } from './enroll-learner.ts';
import { importSchool } from './import-school.ts';
import { createServiceClient } from './service-client.ts';
import { uploadFiles } from './upload-files.ts';

/** The state of the seeding: an interrupted one is completed, a completed one is never repeated. */
const Progress = Type.Object({
  accounts: Type.Boolean(),
  school: Type.Union([Type.Literal('none'), Type.Literal('begun'), Type.Literal('done')]),
});
type Progress = Static<typeof Progress>;

/** Runs once per data directory, and only in an empty system, so that later changes and deletions are never reverted. */
export async function seed(target: SeedTarget, directory: string, report: (line: string) => void): Promise<void> {
  const file = join(directory, 'seed.json');
  const progress = readProgress(file);
  const { SEED, IDP_ISSUER } = target.settings;
  if (progress.accounts && (progress.school === 'done' || !SEED)) return;
  try {
    const accounts = IDP_ISSUER ? undefined : await registerAccounts(target);
    writeProgress(file, { ...progress, accounts: true });
    if (!SEED) return;
    if (progress.school === 'none' && !(await isEmpty(target))) {
      report('seed               skipped: the system already has content');
    } else {
      writeProgress(file, { accounts: true, school: 'begun' });
      await seedSchool(target, accounts, report);
      report('seed               sample content created');
    }
    writeProgress(file, { accounts: true, school: 'done' });
  } catch (error) {
    throw new StartFailed('seed', error instanceof Error ? error.message : String(error));
  }
}

async function isEmpty({ addresses, secrets }: SeedTarget): Promise<boolean> {
  const client = createServiceClient(seedAdmin, secrets.passport.privateKey);
  const path = '/api/admin/education/levels?includeDeleted=true&limit=1';
  const levels = await client({
    service: addresses.content.url,
    method: 'GET',
    path,
    data: Type.Array(Type.Unknown()),
  });
  return levels.length === 0;
}

async function seedSchool(
  target: SeedTarget,
  accounts: Accounts | undefined,
  report: (line: string) => void,
): Promise<void> {
  const { content, media, enrollment } = target.addresses;
  const { privateKey } = target.secrets.passport;
  // With other BOOTSTRAP_ADMIN_EMAILS, admin@lms.test is not an administrator.
  const client = createServiceClient(accounts?.admin.roles.includes('ADMIN') ? accounts.admin : seedAdmin, privateKey);
  const mentor = accounts && { mentorId: accounts.mentor.identityProviderId, mentorEmail: accounts.mentor.email };
  const topic = await importSchool(client, content.url, mentor);
  await uploadFiles(topic, { client, content: content.url, media: media.url, report });
  if (accounts) await enrollLearner(topic, enrollment.url, createServiceClient(accounts.learner, privateKey), client);
}

function readProgress(file: string): Progress {
  if (!existsSync(file)) return { accounts: false, school: 'none' };
  return Value.Parse(Progress, JSON.parse(readFileSync(file, 'utf8')));
}

function writeProgress(file: string, progress: Progress): void {
  writeFileSync(`${file}.tmp`, `${JSON.stringify(progress)}\n`, { flush: true });
  renameSync(`${file}.tmp`, file);
}
