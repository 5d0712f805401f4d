import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { EnrollmentNotFound, InvalidState } from './errors.ts';
import { type Moving, saidBy, settle } from './move-enrollment.ts';
import { enrollmentMoves } from './moves-repository.ts';
import { enrollments } from './repository.ts';
import { moves } from './states.ts';
import { tell } from './tell.ts';

export const bulkActions = ['approve', 'reject', 'revoke'] as const;
export type BulkAction = (typeof bulkActions)[number];

export interface Outcome {
  id: string;
  ok: boolean;
  code?: string;
  error?: string;
  details?: unknown;
}

/** Decides all that can be decided, in one transaction; what one id comes to does not touch the others. */
export function decideEnrollments(
  db: Db,
  action: BulkAction,
  ids: string[],
  moving: Moving,
  cause: Cause,
): Promise<Outcome[]> {
  const move = moves[action];
  return db.transaction(async (tx) => {
    const rows = await enrollmentMoves(tx).moveAll(ids, move, settle(action, moving));
    await tell(tx, rows, { event: move.event, from: move.from, said: saidBy(moving), cause });
    const moved = new Set(rows.map(({ id }) => id));
    const statuses = await enrollments(tx).statusesOf(ids);
    // An id that is given twice is decided once.
    return ids.map((id) => (moved.delete(id) ? { id, ok: true } : refused(id, statuses.get(id))));
  });
}

function refused(id: string, current: EnrollmentStatus | undefined): Outcome {
  const { code, message, details } = current ? new InvalidState({ details: { current } }) : new EnrollmentNotFound();
  return { id, ok: false, code, error: message, ...(details !== undefined && { details }) };
}
