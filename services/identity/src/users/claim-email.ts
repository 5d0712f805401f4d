import { userDeleted, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { announceUser } from './announce-user.ts';
import { displacedEmail } from './email.ts';
import { type UserRow, users } from './repository.ts';

export interface Claim {
  email: string;
  emailVerified: boolean;
  /** Who claims it, where they are known already. */
  ownId: string | undefined;
}

/**
 * Makes an e-mail free for the provider's word: who holds it by hint alone, has left, or never proved it against
 * somebody who did, loses it. False where it is another's. The e-mail's lock must be held.
 */
export async function claimEmail(tx: Db, { email, emailVerified, ownId }: Claim, cause: Cause): Promise<boolean> {
  const holder = await users(tx).findByEmail(email);
  if (!holder || holder.id === ownId) return true;
  const locked = await users(tx).lock(holder.id, ...(ownId === undefined ? [] : [ownId]));
  const current = locked.find(({ id }) => id === holder.id);
  if (current?.email !== email) return true;
  if (!isDisplaceable(current, emailVerified)) return false;
  await users(tx).update(current, { email: displacedEmail(current.id), emailVerified: false });
  // Told as a deletion again: whoever hears this before the deletion itself must not take the account for a living one.
  await announceUser(tx, current.deletedAt ? userDeleted : userUpdated, current.id, { cause });
  return true;
}

const isDisplaceable = (holder: UserRow, byVerified: boolean) =>
  holder.isProvisional || holder.deletedAt !== null || (byVerified && !holder.emailVerified);
