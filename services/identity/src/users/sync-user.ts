import { AccountInactive } from '@lms/auth/require-role';
import { userCreated } from '@lms/contracts/events/identity';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict, invalid } from '@lms/service/problems';
import { applyCurrentState } from './apply-provider-user.ts';
import type { UserDeps } from './deps.ts';
import { parseEmail } from './email.ts';
import { NotSynchronised } from './errors.ts';
import { appendUserEvent } from './events.ts';
import { type UserWithRoles, users } from './repository.ts';
import { confirmByToken, verifiedEmailOf } from './resolve-principal.ts';
import { roleAssignments } from './role-repository.ts';
import type { ProviderUser, SyncRequest } from './schemas.ts';

export interface SyncedUser {
  user: UserWithRoles;
  isNew: boolean;
}

const emailTaken = (value: string) => conflict({ resource: 'user', field: 'email', value });

/**
 * Creates a provisional LEARNER with an unverified e-mail if the user is unknown. Never changes an existing user.
 * @throws Conflict if another user has the e-mail, AccountInactive if the account has been deleted, a 422 if no user can
 * have the e-mail
 */
export async function syncProvisionally(db: Db, deps: UserDeps, hint: SyncRequest, cause: Cause): Promise<SyncedUser> {
  const email = parseEmail(hint.email);
  if (!email) throw invalid({ field: 'email', message: 'must be an e-mail address', value: hint.email });
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
    await roleAssignments(tx).start({ userId: id, role: 'LEARNER', assignedBy: null });
    return { user: await appendUserEvent(tx, userCreated, id, { cause }), isNew: true };
  });
}

/**
 * Creates the account of a valid token, with the unverified e-mail of the request, and confirms it.
 * @throws Conflict if another user has the e-mail, AccountInactive if the account has been deleted, NotSynchronised if
 * another user has the verified e-mail of the token
 */
export async function syncWithToken(
  db: Db,
  deps: UserDeps,
  claims: TokenClaims,
  hint: SyncRequest,
  cause: Cause,
): Promise<SyncedUser> {
  // Without another user, it would have created the account before.
  if (verifiedEmailOf(claims)) throw new NotSynchronised();
  const { isNew } = await syncProvisionally(db, deps, hint, cause);
  const user = await confirmByToken(db, deps, claims, cause);
  if (!user) throw new NotSynchronised();
  return { user, isNew };
}

/**
 * Applies the provider's state of the account instead of the hint.
 * @throws Conflict if another user has the e-mail, AccountInactive if the account has been deleted, NotSynchronised if
 * the account has no e-mail
 */
export async function syncWithProvider(
  db: Db,
  deps: UserDeps,
  described: ProviderUser,
  { email }: SyncRequest,
  cause: Cause,
): Promise<SyncedUser> {
  const { outcome, user, isNew } = await applyCurrentState(db, deps, described, cause);
  // The error names the e-mail of the request, not the provider's: the caller is not authenticated.
  if (outcome === 'conflict') throw emailTaken(email);
  if (!user) throw new NotSynchronised();
  return { user, isNew };
}
