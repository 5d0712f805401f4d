import type { EnrollmentState } from '@lms/contracts/events/enrollment';
import { onWire } from '@lms/contracts/wire';
import type { Row } from './repository.ts';

/** What neighbours are told: everything but what the learner wrote and our own bookkeeping. */
export function toState({ message, isRestorable, ...row }: Row): EnrollmentState {
  return onWire(row);
}
