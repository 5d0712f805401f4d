import { userCreated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { applyCurrentState } from './apply-provider-user.ts';
import type { UserDeps } from './deps.ts';
import { normalizeEmail } from './email.ts';
import { AccountInactive, NotSynchronised } from './errors.ts';
import { appendUserEvent } from './events.ts';
import { type UserWithRoles, users } from './repository.ts';
import type { ProviderUser, SyncRequest } from './schemas.ts';

export interface Synced {
  user: UserWithRoles;
  isNew: boolean;
}

const emailTaken = (value: string) => conflict({ resource: 'user', field: 'email', value });

/**
 * Takes a hint: announces a LEARNER who isn't known yet, whose e-mail is unverified and whose account doesn't count until
 * a token of theirs or the provider confirms it. Changes no one who is known.
 * @throws Conflict where another user holds the e-mail, AccountInactive where the account is gone for good
 */
export function syncProvisionally(db: Db, deps: UserDeps, hint: SyncRequest, cause: Cause): Promise<Synced> {
  const email = normalizeEmail(hint.email);
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(hint.userId, email);
    const known = await users(tx).findByIdentity(hint.userId);
    if (known) return { user: known, isNew: false };
    if (await users(tx).isIdentityDeleted(hint.userId)) throw new AccountInactive();
    if (await users(tx).findByEmail(email)) throw emailTaken(hint.email);
    const { id } = await users(tx).insert({
      identityProviderId: hint.userId,
      email,
      emailVerified: false,
      firstName: hint.firstName || null,
      lastName: hint.lastName || null,
      plan: deps.defaultPlan,
      isProvisional: true,
    });
    await deps.roles.start(tx, { userId: id, role: 'LEARNER', assignedBy: null });
    return { user: await appendUserEvent(tx, userCreated, id, { cause }), isNew: true };
  });
}

/**
 * Takes no hint but what the provider has just said about the account.
 * @throws NotSynchronised where the provider has no e-mail for it; and as above
 */
export async function syncWithProvider(
  db: Db,
  deps: UserDeps,
  described: ProviderUser,
  { email }: SyncRequest,
  cause: Cause,
): Promise<Synced> {
  const { outcome, user, isNew } = await applyCurrentState(db, deps, described, cause);
  // Not which one the provider knows: the sender of a hint has proved nothing.
  if (outcome === 'conflict') throw emailTaken(email);
  if (!user) throw new NotSynchronised();
  return { user, isNew };
}
