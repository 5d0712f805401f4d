import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { audit } from './repository.ts';

const personal = new Set(['email', 'firstName', 'lastName', 'statusReason', 'identityProviderId']);
const removed = { from: null, to: null };

/** Takes personal data out of the trail of changes to a user; that there was a change, by whom and when, stays. */
export async function forgetPerson(tx: Db, userId: string) {
  for (const { id, changes } of await audit(tx).listAbout('user', userId)) {
    const entries = Object.entries(changes);
    if (!entries.some(([field]) => personal.has(field))) continue;
    const kept: Changes = Object.fromEntries(
      entries.map(([field, change]) => [field, personal.has(field) ? removed : change]),
    );
    await audit(tx).replaceChanges(id, kept);
  }
}
