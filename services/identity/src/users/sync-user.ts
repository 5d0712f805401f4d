import { userCreated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/server/problems';
import { announceUser } from './announce-user.ts';
import { normalizeEmail } from './email.ts';
import { AccountInactive } from './errors.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';
import type { SyncRequest } from './schemas.ts';

export interface Synced {
  person: Person;
  isNew: boolean;
}

/**
 * Takes a hint: announces somebody who isn't known yet, without account, roles or a proven e-mail. Changes nobody.
 * @throws Conflict where somebody else holds the e-mail, AccountInactive where the account is gone for good
 */
export function syncProvisionally(db: Db, rules: Rules, hint: SyncRequest, cause: Cause): Promise<Synced> {
  const email = normalizeEmail(hint.email);
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(hint.userId, email);
    const known = await users(tx).findByIdentity(hint.userId);
    if (known) return { person: known, isNew: false };
    if (await users(tx).hasDeparted(hint.userId)) throw new AccountInactive();
    if (await users(tx).findByEmail(email)) throw conflict({ resource: 'user', field: 'email', value: hint.email });
    const { id } = await users(tx).insert({
      identityProviderId: hint.userId,
      email,
      emailVerified: false,
      firstName: hint.firstName || null,
      lastName: hint.lastName || null,
      plan: rules.defaultPlan,
      isProvisional: true,
    });
    return { person: await announceUser(tx, userCreated, id, { cause }), isNew: true };
  });
}
