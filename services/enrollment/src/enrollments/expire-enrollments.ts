import type { Db } from '@lms/database/connect';
import { enrollmentMoves } from './moves-repository.ts';
import type { Of } from './repository.ts';
import { moves } from './states.ts';
import { tell } from './tell.ts';

const batchSize = 500;

/** Settles what is past its end, in batches of a transaction each; answers how many there were. */
export async function expireEnrollments(db: Db, of: Of = {}): Promise<number> {
  const { from, event } = moves.expire;
  const expired = await db.transaction(async (tx) => {
    const rows = await enrollmentMoves(tx).expire(of, batchSize);
    await tell(tx, rows, { event, from });
    return rows.length;
  });
  return expired < batchSize ? expired : expired + (await expireEnrollments(db, of));
}
