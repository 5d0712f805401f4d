import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { EnrollmentState, EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { toWire } from '@lms/contracts/wire';
import type { Db } from '@lms/database/connect';
import { appendEvents, type Cause } from '@lms/events/append-event';
import type { EnrollmentRow } from './repository.ts';

interface EnrollmentEvent {
  event: EventDefinition<typeof EnrollmentState>;
  /** Where they stood before; undefined for new ones. */
  from?: EnrollmentStatus;
  /** What else was changed by it. */
  changes?: Changes;
  cause?: Cause;
}

/** Tells what became of some enrollments, each of them once, in the transaction of the change. */
export const appendEnrollmentEvents = (
  tx: Db,
  rows: EnrollmentRow[],
  { event, from, changes: said, cause }: EnrollmentEvent,
) =>
  appendEvents(
    tx,
    event,
    rows.map((row) => ({
      aggregateId: row.id,
      data: toEnrollmentState(row),
      changes: { status: { from: from ?? null, to: row.status }, ...said },
      ...(cause && { cause }),
    })),
  );

/** Everything but what the learner wrote and our own bookkeeping. */
function toEnrollmentState({ message: _message, isRestorable: _isRestorable, ...row }: EnrollmentRow): EnrollmentState {
  return toWire(row);
}
