import { userCreated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/server/problems';
import { announceUser } from './announce-user.ts';
import { applyProviderUser } from './apply-provider-user.ts';
import type { AskProvider } from './ask-provider.ts';
import { normalizeEmail } from './email.ts';
import { AccountInactive, NotSynchronised, UserNotFound } from './errors.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';
import type { SyncRequest } from './schemas.ts';

export interface Synced {
  person: Person;
  isNew: boolean;
}

const emailTaken = (value: string) => conflict({ resource: 'user', field: 'email', value });

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
    return { person: await announceUser(tx, userCreated, id, { cause }), isNew: true };
  });
}

/**
 * Takes no hint: asks the provider about the account and stores its answer.
 * @throws UserNotFound where the provider knows none, NotSynchronised where it has no e-mail; and as above
 */
export async function syncWithProvider(
  db: Db,
  rules: Rules,
  ask: AskProvider,
  { userId, email }: SyncRequest,
  cause: Cause,
): Promise<Synced> {
  const described = await ask(userId);
  if (!described) throw new UserNotFound();
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(userId);
    const isNew = (await users(tx).findByIdentity(userId)) === undefined;
    if (isNew && (await users(tx).hasDeparted(userId))) throw new AccountInactive();
    const outcome = await applyProviderUser(tx, rules, described, 'updated', cause);
    // Not which one the provider knows: whoever asks has proved nothing.
    if (outcome === 'conflict') throw emailTaken(email);
    const person = await users(tx).findByIdentity(userId);
    if (!person) throw new NotSynchronised();
    return { person, isNew };
  });
}
