import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { audit } from './repository.ts';

const personalFields = new Set(['email', 'firstName', 'lastName', 'statusReason', 'identityProviderId']);

/** Replaces the values of a change to a personal field. */
export const redacted = { from: null, to: null };

interface RedactedUser {
  id: string;
  identityProviderId: string | null;
}

/** Removes personal data from the audit trail. That a change was made, by whom and when, is kept. */
export async function redactUser(tx: Db, { id: userId, identityProviderId }: RedactedUser) {
  for (const { id, changes } of await audit(tx).listAbout('user', userId)) {
    const entries = Object.entries(changes);
    if (!entries.some(([field]) => personalFields.has(field))) continue;
    const remaining: Changes = Object.fromEntries(
      entries.map(([field, change]) => [field, personalFields.has(field) ? redacted : change]),
    );
    await audit(tx).replaceChanges(id, remaining);
  }
  if (identityProviderId === null) return;
  for (const { id, changes } of await audit(tx).listByMentor(identityProviderId))
    await audit(tx).replaceChanges(id, { ...changes, mentorId: redacted });
}
