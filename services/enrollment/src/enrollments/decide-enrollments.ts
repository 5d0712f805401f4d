import type { Db } from '@lms/database/connect';
import { inTransaction } from '@lms/database/in-transaction';
import type { Cause } from '@lms/events/append-event';
import { EnrollmentNotFound, InvalidState } from './errors.ts';
import { appendEnrollmentEvents } from './events.ts';
import { enrollments } from './repository.ts';
import { transitions } from './states.ts';
import { type TransitionInput, transitionChanges, transitionFields } from './transition-enrollment.ts';
import { enrollmentTransitions } from './transitions-repository.ts';

export const bulkActions = ['approve', 'reject', 'revoke'] as const;
export type BulkAction = (typeof bulkActions)[number];

export interface BulkResult {
  id: string;
  ok: boolean;
  code?: string;
  error?: string;
  details?: unknown;
}

/**
 * Makes one transition for many enrollments in one transaction; the number of statements does not depend on the number
 * of ids. An id that fails, or a repeated id, does not affect the others. Events and results are in the order of `ids`.
 */
export async function decideEnrollments(
  db: Db,
  action: BulkAction,
  ids: string[],
  input: TransitionInput,
  cause: Cause,
): Promise<BulkResult[]> {
  const { from, to, event } = transitions[action];
  return inTransaction(db, async (tx) => {
    const updated = await enrollmentTransitions(tx).transitionAll(ids, { from, to }, transitionFields(action, input));
    const byId = new Map(updated.map((row) => [row.id, row]));
    const rows = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
    await appendEnrollmentEvents(tx, rows, { event, from, changes: transitionChanges(input), cause });

    const statuses = await enrollments(tx).listStatuses(ids);
    return ids.map((id): BulkResult => {
      const current = statuses.get(id);
      if (current === undefined) return toFailure(id, new EnrollmentNotFound());
      // A repeated id succeeds once.
      return byId.delete(id) ? { id, ok: true } : toFailure(id, new InvalidState({ details: { current } }));
    });
  });
}

function toFailure(id: string, { code, message, details }: InstanceType<typeof InvalidState>): BulkResult {
  return { id, ok: false, code, error: message, ...(details !== undefined && { details }) };
}
