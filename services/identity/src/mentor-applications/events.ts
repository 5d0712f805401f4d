import type { Changes } from '@lms/contracts/events/definition';
import { mentorApplicationEvents } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { toApplicationState } from './presenter.ts';
import type { Application } from './repository.ts';

/** Appends an event with the application's state, in the transaction of the change. */
export const appendApplicationEvent = (
  tx: Db,
  kind: keyof typeof mentorApplicationEvents,
  application: Application,
  event: { changes?: Changes; cause: Cause },
) =>
  appendEvent(tx, mentorApplicationEvents[kind], {
    aggregateId: application.id,
    data: toApplicationState(application),
    ...event,
  });
