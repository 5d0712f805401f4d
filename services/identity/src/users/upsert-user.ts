import { userCreated, userDeleted, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { displacedEmail } from './email.ts';
import { appendUserEvent, changesBetween } from './events.ts';
import { activeRoles } from './presenter.ts';
import { type UserChange, type UserRow, type UserWithRoles, users } from './repository.ts';
import { roleAssignments } from './role-repository.ts';

/** An account as the provider or one of its tokens describes it. An absent name is left unchanged. */
export interface ProviderAccount {
  identityProviderId: string;
  email: string;
  emailVerified: boolean;
  firstName?: string | null;
  lastName?: string | null;
  /** When the provider wrote this state; absent in tokens, whose names are for accounts without others. */
  namesWrittenAt?: Date;
  providerRevision?: string;
}

/**
 * Creates or updates the user of a provider account. Returns undefined if the e-mail belongs to another user. The caller
 * holds the locks of the identity and the e-mail.
 */
export async function upsertUser(
  tx: Db,
  deps: UserDeps,
  account: ProviderAccount,
  known: UserWithRoles | undefined,
  cause: Cause,
): Promise<UserWithRoles | undefined> {
  if (!(await releaseEmail(tx, deps, account, known?.id, cause))) return undefined;
  return known ? updateAccount(tx, deps, account, known.id, cause) : createAccount(tx, deps, account, cause);
}

async function createAccount(tx: Db, deps: UserDeps, account: ProviderAccount, cause: Cause): Promise<UserWithRoles> {
  const { namesWrittenAt: _namesWrittenAt, ...described } = account;
  const { id } = await users(tx).insert({ ...described, plan: deps.defaultPlan });
  await roleAssignments(tx).start({ userId: id, role: 'LEARNER', assignedBy: null });
  if (account.emailVerified) await grantBootstrapAdmin(tx, deps, id, account.email);
  return appendUserEvent(tx, userCreated, id, { cause });
}

async function updateAccount(
  tx: Db,
  deps: UserDeps,
  account: ProviderAccount,
  userId: string,
  cause: Cause,
): Promise<UserWithRoles> {
  await users(tx).lock(userId);
  const before = await users(tx).get(userId);
  // A transaction that proved this user's e-mail for another one may have closed the account: it locks the row, but not
  // this identity.
  if (before.identityProviderId !== account.identityProviderId) return createAccount(tx, deps, account, cause);
  const { email, emailVerified, providerRevision = before.providerRevision } = account;
  const after = { email, emailVerified, ...chooseNames(before, account) };
  const changes = changesBetween<UserChange>(before, after);
  const isChanged = before.isProvisional || Object.keys(changes).length > 0;
  await users(tx).update(before, {
    ...after,
    isProvisional: false,
    providerRevision,
    ...(!isChanged && { updatedAt: before.updatedAt }),
  });
  if (!isChanged) return before;
  // Provisional accounts of earlier versions have no role.
  const everAssigned = before.userRoles.map(({ role }) => role);
  if (before.isProvisional && !everAssigned.includes('LEARNER'))
    await roleAssignments(tx).start({ userId, role: 'LEARNER', assignedBy: null });
  const isNewlyVerified = account.emailVerified && (!before.emailVerified || before.email !== account.email);
  if (isNewlyVerified && !activeRoles(before).includes('ADMIN'))
    await grantBootstrapAdmin(tx, deps, userId, account.email);
  return appendUserEvent(tx, userUpdated, userId, { changes, cause });
}

/**
 * The names to store. The row is locked, so that names which the user edits at the same moment are not overwritten by an older
 * state of the provider.
 */
function chooseNames(before: UserRow, { firstName, lastName, namesWrittenAt }: ProviderAccount) {
  const names = { ...(firstName !== undefined && { firstName }), ...(lastName !== undefined && { lastName }) };
  if (before.namesEditedAt) return namesWrittenAt && namesWrittenAt > before.namesEditedAt ? names : {};
  // Names from a hint are no more trustworthy than the hint, so the provider's account replaces them even if it has none.
  if (isEmailFromHint(before)) return { firstName: null, lastName: null, ...names };
  return namesWrittenAt ? names : {};
}

async function grantBootstrapAdmin(tx: Db, deps: UserDeps, userId: string, email: string) {
  if (deps.adminEmails.has(email)) await roleAssignments(tx).start({ userId, role: 'ADMIN', assignedBy: null });
}

/**
 * Takes the e-mail from a user whose account is provisional or deleted, or who never verified it while this account
 * did. Returns false if another user keeps the e-mail.
 */
async function releaseEmail(
  tx: Db,
  deps: UserDeps,
  { email, emailVerified }: ProviderAccount,
  ownId: string | undefined,
  cause: Cause,
): Promise<boolean> {
  const holder = await users(tx).findByEmail(email);
  if (!holder || holder.id === ownId) return true;
  const locked = await users(tx).lock(holder.id, ...(ownId === undefined ? [] : [ownId]));
  const current = locked.find(({ id }) => id === holder.id);
  if (current?.email !== email) return true;
  const isReleasable = current.isProvisional || current.deletedAt !== null || (emailVerified && !current.emailVerified);
  if (!isReleasable) return false;
  if (current.isProvisional) await closeProvisional(tx, deps, current, cause);
  else await displaceEmail(tx, current, cause);
  return true;
}

/** Whether the e-mail comes from an unauthenticated hint only. */
const isEmailFromHint = ({ emailVerified, providerRevision }: UserRow) => !emailVerified && providerRevision === null;

/**
 * Closes an account whose hint was wrong before it was ever used; roles that admins assigned were meant for another user.
 * Its provider id becomes unknown again, so that its owner can register with another e-mail.
 */
async function closeProvisional(tx: Db, deps: UserDeps, holder: UserRow, cause: Cause) {
  await users(tx).update(holder, {
    identityProviderId: null,
    email: displacedEmail(holder.id),
    formerEmailHashes: [],
    firstName: null,
    lastName: null,
    status: 'INACTIVE',
    statusReason: null,
    deletedAt: new Date(),
  });
  await roleAssignments(tx).endAll(holder.id);
  await deps.withdrawApplications(tx, holder.id, cause);
  const changes = { status: { from: holder.status, to: 'INACTIVE' } };
  await appendUserEvent(tx, userDeleted, holder.id, { changes, cause });
}

/** Keeps the account without the e-mail. If a hint gave the e-mail, roles that admins assigned end as well. */
async function displaceEmail(tx: Db, holder: UserRow, cause: Cause) {
  const isFromHint = isEmailFromHint(holder);
  // An e-mail that never belonged to the user must not enter the hashes of former e-mails.
  const { formerEmailHashes } = holder;
  const change = { email: displacedEmail(holder.id), emailVerified: false, ...(isFromHint && { formerEmailHashes }) };
  await users(tx).update(holder, change);
  if (isFromHint) await roleAssignments(tx).endGranted(holder.id);
  // A deleted user stays deleted for a consumer that receives this event before the deletion itself.
  await appendUserEvent(tx, holder.deletedAt ? userDeleted : userUpdated, holder.id, { cause });
}
