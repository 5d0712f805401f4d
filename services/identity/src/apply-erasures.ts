import { userDeleted } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Ledger } from '@lms/events/ledger';
import { anonymizationDeps } from './anonymization-deps.ts';
import { anonymizations } from './users/anonymization-repository.ts';
import { anonymizeUser } from './users/anonymize-user.ts';
import { appendUserEvent } from './users/events.ts';
import { users } from './users/repository.ts';

/**
 * Anonymizes the users whom the ledger of erasures contains and who are not anonymized: this database was restored to an
 * earlier moment. Adds those whom the ledger does not contain yet.
 * @returns the ids of the former
 */
export async function applyErasures(db: Db, ledger: Ledger): Promise<string[]> {
  const erased = await ledger.keys();
  const known = new Set(erased);
  for (const id of await anonymizations(db).listAnonymized()) if (!known.has(id)) await ledger.add(id);
  const lost = await anonymizations(db).listNotAnonymized(erased);
  for (const id of lost) await anonymizeUser(db, anonymizationDeps, id, { cause: {}, isRepeated: true });
  return lost;
}

/** Anonymizes a user again, and requests it from all services again if this service has done it. */
export async function repeatErasure(db: Db, userId: string) {
  const { anonymizedAt } = await users(db).get(userId);
  if (anonymizedAt) await db.transaction((tx) => appendUserEvent(tx, userDeleted, userId, { cause: {} }));
  else await anonymizeUser(db, anonymizationDeps, userId, { cause: {}, isRepeated: true });
}
