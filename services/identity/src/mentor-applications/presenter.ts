import type { MentorApplicationState } from '@lms/contracts/events/identity';
import { toWire } from '@lms/contracts/wire';
import type { Application } from './repository.ts';

/** What neighbours are told. */
export function toApplicationState(application: Application): MentorApplicationState {
  const { id, userId, status, subjectIds, reviewedBy, reviewedAt, createdAt, updatedAt } = application;
  return toWire({ id, userId, status, subjectIds, reviewedBy, reviewedAt, createdAt, updatedAt });
}
