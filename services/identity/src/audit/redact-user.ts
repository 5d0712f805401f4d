import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { audit } from './repository.ts';

const personal = new Set(['email', 'firstName', 'lastName', 'statusReason', 'identityProviderId']);

/** What is left of a change that named somebody. */
export const redacted = { from: null, to: null };

interface Person {
  id: string;
  identityProviderId: string | null;
}

/** Takes personal data out of the trail; that there was a change, by whom and when, stays. */
export async function redactUser(tx: Db, { id: userId, identityProviderId }: Person) {
  for (const { id, changes } of await audit(tx).listAbout('user', userId)) {
    const entries = Object.entries(changes);
    if (!entries.some(([field]) => personal.has(field))) continue;
    const kept: Changes = Object.fromEntries(
      entries.map(([field, change]) => [field, personal.has(field) ? redacted : change]),
    );
    await audit(tx).replaceChanges(id, kept);
  }
  if (identityProviderId === null) return;
  for (const { id, changes } of await audit(tx).listByMentor(identityProviderId))
    await audit(tx).replaceChanges(id, { ...changes, mentorId: redacted });
}
