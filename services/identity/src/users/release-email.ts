import { userDeleted, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { displacedEmail } from './email.ts';
import { appendUserEvent } from './events.ts';
import { type UserRow, users } from './repository.ts';

export interface EmailClaim {
  email: string;
  emailVerified: boolean;
  /** Who claims it, where they are known already. */
  ownId: string | undefined;
}

/**
 * Makes an e-mail free for the provider's word: who holds it by hint alone, has left, or never proved it against
 * another user who did, loses it. False where it is another's. The e-mail's lock must be held.
 */
export async function releaseEmail(tx: Db, deps: UserDeps, claim: EmailClaim, cause: Cause): Promise<boolean> {
  const { email, emailVerified, ownId } = claim;
  const holder = await users(tx).findByEmail(email);
  if (!holder || holder.id === ownId) return true;
  const locked = await users(tx).lock(holder.id, ...(ownId === undefined ? [] : [ownId]));
  const current = locked.find(({ id }) => id === holder.id);
  if (current?.email !== email) return true;
  if (!isDisplaceable(current, emailVerified)) return false;
  if (current.isProvisional) await closeProvisional(tx, deps, current, cause);
  else await displaceEmail(tx, deps, current, cause);
  return true;
}

const isDisplaceable = (holder: UserRow, byVerified: boolean) =>
  holder.isProvisional || holder.deletedAt !== null || (byVerified && !holder.emailVerified);

/** Whether only a hint, which needs no token, has ever named the e-mail. */
export const isEmailFromHint = ({ emailVerified, providerRevision }: UserRow) =>
  !emailVerified && providerRevision === null;

/**
 * A hint turned out to be wrong before the account was used: what admins gave it was meant for another user. The account
 * ends, and its provider id is unknown again, so that its owner may still announce it with another e-mail.
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
  await deps.roles.endAll(tx, holder.id);
  await deps.withdrawApplications(tx, holder.id, cause);
  const changes = { status: { from: holder.status, to: 'INACTIVE' } };
  await appendUserEvent(tx, userDeleted, holder.id, { changes, cause });
}

/** The account goes on without the e-mail; roles that admins gave it under an e-mail that it never had end. */
async function displaceEmail(tx: Db, deps: UserDeps, holder: UserRow, cause: Cause) {
  const isFromHint = isEmailFromHint(holder);
  // An e-mail that was never theirs is none of those that go with them when they are anonymized.
  const { formerEmailHashes } = holder;
  const change = { email: displacedEmail(holder.id), emailVerified: false, ...(isFromHint && { formerEmailHashes }) };
  await users(tx).update(holder, change);
  if (isFromHint) await deps.roles.endGranted(tx, holder.id);
  // A deletion again: a consumer that gets this before the deletion itself must not take the account for an active one.
  await appendUserEvent(tx, holder.deletedAt ? userDeleted : userUpdated, holder.id, { cause });
}
