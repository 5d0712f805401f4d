import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { InvalidState } from './errors.ts';
import { enrollmentMoves } from './moves-repository.ts';
import { enrollments, type Row, type Which } from './repository.ts';
import { type MoveName, moves } from './states.ts';
import { tell } from './tell.ts';

/** Who moves it, and what they say to it. */
export interface Moving {
  actorId: string;
  reason?: string | null;
  expiresAt?: Date | null;
}

/**
 * Makes one move of the state machine.
 * @throws EnrollmentNotFound, InvalidState with the current state
 */
export async function moveEnrollment(db: Db, name: MoveName, which: Which, moving: Moving, cause: Cause) {
  const move = moves[name];
  return db.transaction(async (tx) => {
    const row = await enrollmentMoves(tx).move(which, move, settle(name, moving));
    const enrollment = await enrollments(tx).get(which);
    if (!row) throw new InvalidState({ details: { current: enrollment.status } });
    await tell(tx, [row], { event: move.event, from: move.from, said: saidBy(moving), cause });
    return enrollment;
  });
}

/** What a move writes besides the state. */
export function settle(name: MoveName, { actorId, reason = null, expiresAt = null }: Moving): Partial<Row> {
  const now = new Date();
  if (moves[name].from === 'PENDING' && moves[name].by === 'ADMIN')
    return { decidedAt: now, decidedBy: actorId, decisionReason: reason, expiresAt };
  return { endedAt: now, endedBy: actorId, endReason: reason };
}

/** What a move tells besides the state. */
export function saidBy({ reason, expiresAt }: Moving): Changes {
  return {
    ...(reason && { reason: { from: null, to: reason } }),
    ...(expiresAt && { expiresAt: { from: null, to: expiresAt.toISOString() } }),
  };
}
