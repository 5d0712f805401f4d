import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { nodes } from './repository.ts';
import { tell } from './tell.ts';

export interface Assignment {
  mentorId: string | null;
  mentorEmail: string | null;
}

/** Puts a subject into someone's hands, or into nobody's. */
export async function assignMentor(db: Db, subjectId: string, { mentorId, mentorEmail }: Assignment, cause: Cause) {
  return db.transaction(async (tx) => {
    const before = await nodes(tx).getForUpdate('subject', subjectId);
    const after = await nodes(tx).update(subjectId, { mentorId, mentorEmail });
    await tell(tx, { event: 'updated', before, after }, cause);
    return after;
  });
}
