import { anonymizedEmail, DeletedUserState, userDeleted, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent } from '@lms/events/append-event';
import type { LostEvent } from '@lms/events/restored-database';
import { Value } from '@sinclair/typebox/value';
import { anonymizationDeps } from './anonymization-deps.ts';
import { anonymizeUser } from './users/anonymize-user.ts';
import { appendUserEvent } from './users/events.ts';
import { users } from './users/repository.ts';

/**
 * Publishes the current state of users whose last events were lost when this database was restored to an earlier moment, or
 * are to be erased. Repeats lost anonymizations. A user that the database does not contain any more is deleted in all services.
 */
export async function publishCurrentUsers(tx: Db, lost: LostEvent[]) {
  for (const { aggregateId, data } of lost) {
    // Events of mentor applications have no consumers.
    if (!Value.Check(DeletedUserState, data)) continue;
    const user = await users(tx).find(aggregateId);
    if (!user) await appendEvent(tx, userDeleted, { aggregateId, data: withoutPersonalData(data) });
    else if (data.email === anonymizedEmail(aggregateId) && !user.anonymizedAt)
      await anonymizeUser(tx, anonymizationDeps, aggregateId, { cause: {}, isRepeated: true });
    else {
      const event = user.deletedAt || user.anonymizedAt ? userDeleted : userUpdated;
      await appendUserEvent(tx, event, aggregateId, { cause: {} });
    }
  }
}

const withoutPersonalData = (user: DeletedUserState): DeletedUserState => ({
  ...user,
  ...{ identityProviderId: null, email: anonymizedEmail(user.id), emailVerified: false },
  ...{ firstName: null, lastName: null, roles: [], status: 'INACTIVE' },
});
