import { userDeleted } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { announceUser } from './announce-user.ts';
import { anonymizedEmail } from './email.ts';
import { OwnStatus } from './errors.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';

/**
 * Takes the person out of a user for good: what they did stays, who they were goes. Repeating it changes nothing.
 * @throws UserNotFound, OwnStatus, LastAdmin
 */
export function anonymizeUser(db: Db, rules: Rules, userId: string, cause: Cause): Promise<Person> {
  return db.transaction(async (tx) => {
    const { identityProviderId } = await users(tx).get(userId);
    if (identityProviderId) await users(tx).lockIdentity(identityProviderId);
    await users(tx).lock(userId);
    const before = await users(tx).get(userId);
    if (before.anonymizedAt) return before;
    if (userId === cause.actorId) throw new OwnStatus({ details: { current: before.status } });
    if (before.status === 'ACTIVE') await rules.roles.requireAnotherAdmin(tx, userId);
    if (identityProviderId) await users(tx).depart(identityProviderId);
    const identifierHashes = await users(tx).identifierHashes(before);
    await users(tx).update(before, {
      identityProviderId: null,
      email: anonymizedEmail(userId),
      emailVerified: false,
      formerEmailHashes: [],
      firstName: null,
      lastName: null,
      status: 'INACTIVE',
      statusReason: null,
      providerRevision: null,
      namesEditedAt: null,
      anonymizedAt: new Date(),
    });
    await rules.roles.endAll(tx, userId);
    await rules.closeOpen(tx, userId, cause);
    await rules.forget(tx, before);
    await users(tx).forgetKept(userId);
    const changes = { status: { from: before.status, to: 'INACTIVE' } };
    await rules.record(tx, { cause, action: 'user.anonymized', entity: 'user', entityId: userId, changes });
    return announceUser(tx, userDeleted, userId, { changes, cause, identifierHashes });
  });
}
