import { AccountInactive } from '@lms/auth/require-role';
import { userCreated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { announceUser } from './announce-user.ts';
import { applyCurrentState } from './apply-provider-user.ts';
import { normalizeEmail } from './email.ts';
import { NotSynchronised } from './errors.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';
import type { ProviderUser, SyncRequest } from './schemas.ts';

export interface Synced {
  person: Person;
  isNew: boolean;
}

const emailTaken = (value: string) => conflict({ resource: 'user', field: 'email', value });

/**
 * Takes a hint: announces a LEARNER who isn't known yet, whose e-mail is unverified and whose account doesn't count until
 * a token of theirs or the provider confirms it. Changes no one who is known.
 * @throws Conflict where another user holds the e-mail, AccountInactive where the account is gone for good
 */
export function syncProvisionally(db: Db, rules: Rules, hint: SyncRequest, cause: Cause): Promise<Synced> {
  const email = normalizeEmail(hint.email);
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(hint.userId, email);
    const known = await users(tx).findByIdentity(hint.userId);
    if (known) return { person: known, isNew: false };
    if (await users(tx).hasDeparted(hint.userId)) throw new AccountInactive();
    if (await users(tx).findByEmail(email)) throw emailTaken(hint.email);
    const { id } = await users(tx).insert({
      identityProviderId: hint.userId,
      email,
      emailVerified: false,
      firstName: hint.firstName || null,
      lastName: hint.lastName || null,
      plan: rules.defaultPlan,
      isProvisional: true,
    });
    await rules.roles.start(tx, { userId: id, role: 'LEARNER', assignedBy: null });
    return { person: await announceUser(tx, userCreated, id, { cause }), isNew: true };
  });
}

/**
 * Takes no hint but what the provider has just said about the account.
 * @throws NotSynchronised where the provider has no e-mail for it; and as above
 */
export async function syncWithProvider(
  db: Db,
  rules: Rules,
  described: ProviderUser,
  { email }: SyncRequest,
  cause: Cause,
): Promise<Synced> {
  const { outcome, person, isNew } = await applyCurrentState(db, rules, described, cause);
  // Not which one the provider knows: the sender of a hint has proved nothing.
  if (outcome === 'conflict') throw emailTaken(email);
  if (!person) throw new NotSynchronised();
  return { person, isNew };
}
