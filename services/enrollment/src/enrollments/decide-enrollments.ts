import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { EnrollmentNotFound, InvalidState } from './errors.ts';
import { appendEnrollmentEvents } from './events.ts';
import { enrollments } from './repository.ts';
import { transitions } from './states.ts';
import { type TransitionInput, transitionChanges, transitionFields } from './transition-enrollment.ts';
import { enrollmentTransitions } from './transitions-repository.ts';

export const bulkActions = ['approve', 'reject', 'revoke'] as const;
export type BulkAction = (typeof bulkActions)[number];

export interface Outcome {
  id: string;
  ok: boolean;
  code?: string;
  error?: string;
  details?: unknown;
}

/**
 * Decides all that may be decided in one transaction, with as many statements for 500 as for one. An id that cannot be
 * decided, or that was named before, does not touch the others. Events and outcomes are in the order given.
 */
export async function decideEnrollments(
  db: Db,
  action: BulkAction,
  ids: string[],
  moving: TransitionInput,
  cause: Cause,
): Promise<Outcome[]> {
  const move = transitions[action];
  return db.transaction(async (tx) => {
    const moved = await enrollmentTransitions(tx).transitionAll(ids, move, transitionFields(action, moving));
    const byId = new Map(moved.map((row) => [row.id, row]));
    const rows = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
    await appendEnrollmentEvents(tx, rows, {
      event: move.event,
      from: move.from,
      changes: transitionChanges(moving),
      cause,
    });

    const statuses = await enrollments(tx).statusesOf(ids);
    return ids.map((id): Outcome => {
      const current = statuses.get(id);
      if (current === undefined) return failed(id, new EnrollmentNotFound());
      // Only the first mention of an id has moved it.
      return byId.delete(id) ? { id, ok: true } : failed(id, new InvalidState({ details: { current } }));
    });
  });
}

function failed(id: string, { code, message, details }: InstanceType<typeof InvalidState>): Outcome {
  return { id, ok: false, code, error: message, ...(details !== undefined && { details }) };
}
