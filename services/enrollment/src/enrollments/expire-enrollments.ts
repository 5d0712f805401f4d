import type { Db } from '@lms/database/connect';
import { appendEnrollmentEvents } from './events.ts';
import type { Scope } from './repository.ts';
import { transitions } from './states.ts';
import { enrollmentTransitions } from './transitions-repository.ts';

const batchSize = 500;

/** Settles what is past its end, in batches of a transaction each; answers how many there were. */
export async function expireEnrollments(db: Db, of: Scope = {}): Promise<number> {
  const { from, event } = transitions.expire;
  const expired = await db.transaction(async (tx) => {
    const rows = await enrollmentTransitions(tx).expire(of, batchSize);
    await appendEnrollmentEvents(tx, rows, { event, from });
    return rows.length;
  });
  return expired < batchSize ? expired : expired + (await expireEnrollments(db, of));
}
