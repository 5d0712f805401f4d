import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { nodes } from './repository.ts';
import { tell } from './tell.ts';
import type { Target } from './update-node.ts';

export interface Assignment {
  mentorId: string | null;
  mentorEmail: string | null;
}

/** Puts a subject into someone's hands, or into nobody's. */
export async function assignMentor(
  db: Db,
  { id, expect }: Target,
  { mentorId, mentorEmail }: Assignment,
  cause: Cause,
) {
  return db.transaction(async (tx) => {
    await nodes(tx).holdStructure();
    const before = await nodes(tx).getForUpdate('subject', id);
    expect(before);
    const after = await nodes(tx).update(id, { mentorId, mentorEmail });
    await tell(tx, 'updated', [{ before, after }], cause);
    return after;
  });
}
