import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { inTransaction } from '@lms/database/in-transaction';
import type { Cause } from '@lms/events/append-event';
import { InvalidState } from './errors.ts';
import { appendEnrollmentEvents } from './events.ts';
import { type EnrollmentKey, type EnrollmentRow, enrollments } from './repository.ts';
import { type TransitionName, transitions } from './states.ts';
import { enrollmentTransitions } from './transitions-repository.ts';

export interface TransitionInput {
  actorId: string;
  reason?: string | null;
  expiresAt?: Date | null;
}

/**
 * Makes one transition of the state machine.
 * @throws EnrollmentNotFound, InvalidState with the current status
 */
export async function transitionEnrollment(
  db: Db,
  name: TransitionName,
  key: EnrollmentKey,
  input: TransitionInput,
  cause: Cause,
) {
  const { from, to, event } = transitions[name];
  return inTransaction(db, async (tx) => {
    const stored = await enrollmentTransitions(tx).transition(key, { from, to }, transitionFields(name, input));
    if (!stored) {
      const { enrollment } = await enrollments(tx).get(key);
      throw new InvalidState({ details: { current: enrollment.status } });
    }
    await appendEnrollmentEvents(tx, [stored.enrollment], { event, from, changes: transitionChanges(input), cause });
    return stored;
  });
}

/** The columns that a transition sets besides the status. */
export function transitionFields(
  name: TransitionName,
  { actorId, reason = null, expiresAt = null }: TransitionInput,
): Partial<EnrollmentRow> {
  const now = new Date();
  if (transitions[name].from === 'PENDING' && transitions[name].by === 'ADMIN')
    return { decidedAt: now, decidedBy: actorId, decisionReason: reason, expiresAt };
  return { endedAt: now, endedBy: actorId, endReason: reason };
}

/** The `changes` of a transition's event besides the status. */
export function transitionChanges({ reason, expiresAt }: TransitionInput): Changes {
  return {
    ...(reason && { reason: { from: null, to: reason } }),
    ...(expiresAt && { expiresAt: { from: null, to: expiresAt.toISOString() } }),
  };
}
