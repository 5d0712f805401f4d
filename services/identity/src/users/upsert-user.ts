import { userCreated, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { changesBetween } from './changes.ts';
import type { UserDeps } from './deps.ts';
import { appendUserEvent } from './events.ts';
import { activeRoles } from './presenter.ts';
import { isEmailFromHint, releaseEmail } from './release-email.ts';
import { type UserChange, type UserWithRoles, users } from './repository.ts';

/** An account as the provider vouches for it. A name left out is not spoken of. */
export interface ProviderAccount {
  identityProviderId: string;
  email: string;
  emailVerified: boolean;
  firstName?: string | null;
  lastName?: string | null;
  providerRevision?: string;
}

/**
 * Stores the provider's word on an account, new or known; undefined where its e-mail is another's. The caller holds the
 * locks of its identity and e-mail.
 */
export async function upsertUser(
  tx: Db,
  deps: UserDeps,
  account: ProviderAccount,
  known: UserWithRoles | undefined,
  cause: Cause,
): Promise<UserWithRoles | undefined> {
  const { email, emailVerified } = account;
  if (!(await releaseEmail(tx, deps, { email, emailVerified, ownId: known?.id }, cause))) return undefined;
  return known ? change(tx, deps, account, known.id, cause) : create(tx, deps, account, cause);
}

async function create(tx: Db, deps: UserDeps, account: ProviderAccount, cause: Cause): Promise<UserWithRoles> {
  const { id } = await users(tx).insert({ ...account, plan: deps.defaultPlan });
  await deps.roles.start(tx, { userId: id, role: 'LEARNER', assignedBy: null });
  if (account.emailVerified) await grantBootstrapAdmin(tx, deps, id, account.email);
  return appendUserEvent(tx, userCreated, id, { cause });
}

async function change(
  tx: Db,
  deps: UserDeps,
  account: ProviderAccount,
  userId: string,
  cause: Cause,
): Promise<UserWithRoles> {
  await users(tx).lock(userId);
  const before = await users(tx).get(userId);
  // Another user who proved its e-mail has closed it meanwhile, which doesn't wait for this identity's lock.
  if (before.identityProviderId !== account.identityProviderId) return create(tx, deps, account, cause);
  const { providerRevision = before.providerRevision, ...spoken } = account;
  // What a hint said about names counts no more than the hint.
  const areNamesFromHint = isEmailFromHint(before) && before.namesEditedAt === null;
  const told = areNamesFromHint ? { firstName: null, lastName: null, ...spoken } : spoken;
  const changes = changesBetween<UserChange>(before, told);
  const isNews = before.isProvisional || Object.keys(changes).length > 0;
  await users(tx).update(before, {
    ...told,
    isProvisional: false,
    providerRevision,
    ...(!isNews && { updatedAt: before.updatedAt }),
  });
  if (!isNews) return before;
  // Accounts that were announced before a hint made a LEARNER.
  const heldRoles = before.userRoles.map(({ role }) => role);
  if (before.isProvisional && !heldRoles.includes('LEARNER'))
    await deps.roles.start(tx, { userId, role: 'LEARNER', assignedBy: null });
  const isNewlyProven = account.emailVerified && (!before.emailVerified || before.email !== account.email);
  if (isNewlyProven && !activeRoles(before).includes('ADMIN'))
    await grantBootstrapAdmin(tx, deps, userId, account.email);
  return appendUserEvent(tx, userUpdated, userId, { changes, cause });
}

/** The first admins are told by their e-mail, once it is proven. */
async function grantBootstrapAdmin(tx: Db, deps: UserDeps, userId: string, email: string) {
  if (deps.adminEmails.has(email)) await deps.roles.start(tx, { userId, role: 'ADMIN', assignedBy: null });
}
