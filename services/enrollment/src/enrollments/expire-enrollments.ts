import type { Db } from '@lms/database/connect';
import { inTransaction } from '@lms/database/in-transaction';
import { appendEnrollmentEvents } from './events.ts';
import type { Scope } from './repository.ts';
import { transitions } from './states.ts';
import { enrollmentTransitions } from './transitions-repository.ts';

const batchSize = 500;

/**
 * Stores the status EXPIRED for enrollments past `expiresAt`, one transaction per batch, or all in the one of the caller.
 * @returns the number of enrollments that expired
 */
export async function expireEnrollments(db: Db, scope: Scope = {}): Promise<number> {
  const { from, event } = transitions.expire;
  const expired = await inTransaction(db, async (tx) => {
    const rows = await enrollmentTransitions(tx).expire(scope, batchSize);
    await appendEnrollmentEvents(tx, rows, { event, from });
    return rows.length;
  });
  return expired < batchSize ? expired : expired + (await expireEnrollments(db, scope));
}
