import type { MentorApplicationState } from '@lms/contracts/events/identity';
import { onWire } from '@lms/contracts/wire';
import type { Application } from './repository.ts';

/** What neighbours are told. */
export function toState(application: Application): MentorApplicationState {
  const { id, userId, status, subjectIds, reviewedBy, reviewedAt, createdAt, updatedAt } = application;
  return onWire({ id, userId, status, subjectIds, reviewedBy, reviewedAt, createdAt, updatedAt });
}
