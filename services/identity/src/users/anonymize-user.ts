import { anonymizedEmail, userDeleted } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { recordErasure } from '@lms/events/erasures';
import { anonymizations } from './anonymization-repository.ts';
import type { UserDeps } from './deps.ts';
import { OwnStatus } from './errors.ts';
import { appendUserEvent } from './events.ts';
import { type UserWithRoles, users } from './repository.ts';
import { requireAnotherAdmin } from './require-another-admin.ts';
import { roleAssignments } from './role-repository.ts';

export type AnonymizationDeps = Pick<UserDeps, 'recordChange' | 'withdrawApplications' | 'redactUser'>;

export interface AnonymizeOptions {
  cause: Cause;
  /** The user was anonymized before, and a restore of the database has undone it. */
  isRepeated?: boolean;
}

/**
 * Removes all personal data of a user; the row and its history stay under the id. Idempotent.
 * @throws UserNotFound, OwnStatus, LastAdmin
 */
export function anonymizeUser(
  db: Db,
  deps: AnonymizationDeps,
  userId: string,
  { cause, isRepeated = false }: AnonymizeOptions,
): Promise<UserWithRoles> {
  return db.transaction(async (tx) => {
    const { identityProviderId } = await users(tx).get(userId);
    if (identityProviderId) await users(tx).lockIdentity(identityProviderId);
    await users(tx).lock(userId);
    const before = await users(tx).get(userId);
    if (before.anonymizedAt) return before;
    if (userId === cause.actorId) throw new OwnStatus({ details: { current: before.status } });
    if (before.status === 'ACTIVE' && !isRepeated) await requireAnotherAdmin(tx, userId);
    if (before.identityProviderId) await users(tx).markIdentityDeleted(before.identityProviderId);
    const identifierHashes = await anonymizations(tx).identifierHashes(before);
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
    await roleAssignments(tx).endAll(userId);
    await deps.withdrawApplications(tx, userId, cause);
    await deps.redactUser(tx, before);
    await anonymizations(tx).redactStoredCopies(before, identifierHashes);
    await recordErasure(tx, { id: userId, identifierHashes });
    const changes = { status: { from: before.status, to: 'INACTIVE' } };
    await deps.recordChange(tx, { cause, action: 'user.anonymized', entity: 'user', entityId: userId, changes });
    return appendUserEvent(tx, userDeleted, userId, { changes, cause, identifierHashes });
  });
}
