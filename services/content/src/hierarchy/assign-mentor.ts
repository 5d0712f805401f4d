import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { appendNodeEvents } from './events.ts';
import { nodes } from './repository.ts';
import type { Target } from './update-node.ts';

export interface Assignment {
  mentorId: string | null;
  mentorEmail: string | null;
}

/** Sets the mentor of a subject, or removes it if both fields are null. */
export async function assignMentor(
  db: Db,
  { id, checkVersion }: Target,
  { mentorId, mentorEmail }: Assignment,
  cause: Cause,
) {
  return db.transaction(async (tx) => {
    await nodes(tx).lockStructureShared();
    const before = await nodes(tx).getForUpdate('subject', id);
    checkVersion(before);
    const after = await nodes(tx).update(id, { mentorId, mentorEmail });
    await appendNodeEvents(tx, 'updated', [{ before, after }], cause);
    return after;
  });
}
