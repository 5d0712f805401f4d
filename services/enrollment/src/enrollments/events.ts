import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { EnrollmentState, EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { toWire } from '@lms/contracts/wire';
import type { Db } from '@lms/database/connect';
import { appendEvents, type Cause } from '@lms/events/append-event';
import type { EnrollmentRow } from './repository.ts';

interface EnrollmentEvent {
  event: EventDefinition<typeof EnrollmentState>;
  /** The status before; undefined for new enrollments. */
  from?: EnrollmentStatus;
  /** Changed fields besides the status. */
  changes?: Changes;
  cause?: Cause;
}

/** Appends one event per enrollment, in the transaction of the change. */
export const appendEnrollmentEvents = (
  tx: Db,
  rows: EnrollmentRow[],
  { event, from, changes, cause }: EnrollmentEvent,
) =>
  appendEvents(
    tx,
    event,
    rows.map((row) => ({
      aggregateId: row.id,
      data: toEnrollmentState(row),
      changes: { status: { from: from ?? null, to: row.status }, ...changes },
      ...(cause && { cause }),
    })),
  );

/** Leaves out the learner's message, which is private, and internal columns. */
function toEnrollmentState({ message: _message, isRestorable: _isRestorable, ...row }: EnrollmentRow): EnrollmentState {
  return toWire(row);
}
