import type { MentorApplicationState } from '@lms/contracts/events/identity';
import { toWire } from '@lms/contracts/wire';
import type { Application } from './repository.ts';

/** Also presents a `Submission`, which has the applicant in addition. */
export const toApplication = <T extends Application>(row: T) => toWire(row);

/** The state in events: the application without the applicant's texts and the review note. */
export function toApplicationState(application: Application): MentorApplicationState {
  const { id, userId, status, subjectIds, reviewedBy, reviewedAt, createdAt, updatedAt } = application;
  return toWire({ id, userId, status, subjectIds, reviewedBy, reviewedAt, createdAt, updatedAt });
}
