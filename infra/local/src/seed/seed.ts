import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { PartFailed } from '../supervisor/part.ts';
import { type Accounts, caretaker, introduceAccounts } from './accounts.ts';
import { enrollLearner } from './enroll-learner.ts';
import type { Place } from './place.ts';
import { plantSchool } from './plant-school.ts';
import { readProgress, writeProgress } from './progress.ts';
import { callAs } from './service-client.ts';
import { uploadFiles } from './upload-files.ts';

/** Once per data directory, and only into an empty system: what people change or delete afterwards stays as they left it. */
export async function seed(place: Place, directory: string, report: (line: string) => void): Promise<void> {
  const file = join(directory, 'seed.json');
  const progress = readProgress(file);
  const { SEED, IDP_ISSUER } = place.settings;
  if (progress.accounts && (progress.school === 'done' || !SEED)) return;
  try {
    const accounts = IDP_ISSUER ? undefined : await introduceAccounts(place);
    writeProgress(file, { ...progress, accounts: true });
    if (!SEED) return;
    if (progress.school === 'none' && !(await isEmpty(place))) {
      report('seed               left out: there is content already');
    } else {
      writeProgress(file, { accounts: true, school: 'begun' });
      await seedSchool(place, accounts, report);
      report('seed               a small school is in place');
    }
    writeProgress(file, { accounts: true, school: 'done' });
  } catch (error) {
    throw new PartFailed('seed', error instanceof Error ? error.message : String(error));
  }
}

async function isEmpty({ addresses, secrets }: Place): Promise<boolean> {
  const ask = callAs(caretaker, secrets.passport.privateKey);
  const path = '/api/admin/education/levels?includeDeleted=true&limit=1';
  const levels = await ask({ service: addresses.content.url, method: 'GET', path, data: Type.Array(Type.Unknown()) });
  return levels.length === 0;
}

async function seedSchool(place: Place, accounts: Accounts | undefined, report: (line: string) => void): Promise<void> {
  const { content, media, enrollment } = place.addresses;
  const { privateKey } = place.secrets.passport;
  // With BOOTSTRAP_ADMIN_EMAILS set to somebody else, admin@lms.test is nobody special.
  const ask = callAs(accounts?.admin.roles.includes('ADMIN') ? accounts.admin : caretaker, privateKey);
  const mentor = accounts && { mentorId: accounts.mentor.identityProviderId, mentorEmail: accounts.mentor.email };
  const planted = await plantSchool(ask, content.url, mentor);
  await uploadFiles(planted, { ask, content: content.url, media: media.url, report });
  if (accounts) await enrollLearner(planted, enrollment.url, callAs(accounts.learner, privateKey), ask);
}
