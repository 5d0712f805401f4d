import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { InvalidState } from './errors.ts';
import { appendEnrollmentEvents } from './events.ts';
import { type EnrollmentKey, type EnrollmentRow, enrollments } from './repository.ts';
import { type TransitionName, transitions } from './states.ts';
import { enrollmentTransitions } from './transitions-repository.ts';

/** Who moves it, and what they say to it. */
export interface TransitionInput {
  actorId: string;
  reason?: string | null;
  expiresAt?: Date | null;
}

/**
 * Makes one move of the state machine.
 * @throws EnrollmentNotFound, InvalidState with the current state
 */
export async function transitionEnrollment(
  db: Db,
  name: TransitionName,
  which: EnrollmentKey,
  moving: TransitionInput,
  cause: Cause,
) {
  const move = transitions[name];
  return db.transaction(async (tx) => {
    const row = await enrollmentTransitions(tx).transition(which, move, transitionFields(name, moving));
    const enrollment = await enrollments(tx).get(which);
    if (!row) throw new InvalidState({ details: { current: enrollment.status } });
    await appendEnrollmentEvents(tx, [row], {
      event: move.event,
      from: move.from,
      changes: transitionChanges(moving),
      cause,
    });
    return enrollment;
  });
}

/** What a move writes besides the state. */
export function transitionFields(
  name: TransitionName,
  { actorId, reason = null, expiresAt = null }: TransitionInput,
): Partial<EnrollmentRow> {
  const now = new Date();
  if (transitions[name].from === 'PENDING' && transitions[name].by === 'ADMIN')
    return { decidedAt: now, decidedBy: actorId, decisionReason: reason, expiresAt };
  return { endedAt: now, endedBy: actorId, endReason: reason };
}

/** What a move tells besides the state. */
export function transitionChanges({ reason, expiresAt }: TransitionInput): Changes {
  return {
    ...(reason && { reason: { from: null, to: reason } }),
    ...(expiresAt && { expiresAt: { from: null, to: expiresAt.toISOString() } }),
  };
}
