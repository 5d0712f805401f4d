import { userEvents } from '@lms/contracts/events/identity';
import { recordErasure } from '@lms/events/erasures';
import { deletions } from './enrollments/deletions-repository.ts';
import { endEnrollments } from './enrollments/end-enrollments.ts';
import { restoreEnrollments } from './enrollments/restore-enrollments.ts';
import { notes } from './notes/repository.ts';
import { onSubjectChanged, outlineHandlers } from './outline/on-content-changed.ts';
import { onUserChanged } from './users/on-user-changed.ts';
import { users } from './users/repository.ts';

const userHandlers = onUserChanged({
  deleted: (tx, userId) => endEnrollments(tx, { userId }, 'USER_DELETED'),
  restored: (tx, userId) => restoreEnrollments(tx, { userId }, 'USER_DELETED'),
  async anonymized(tx, userId, identifierHashes) {
    await deletions(tx).deleteMessages(userId);
    await notes(tx).deleteByUser(userId);
    await users(tx).deleteStoredResponses(userId);
    await recordErasure(tx, { id: userId, identifierHashes });
  },
});
const subjectHandlers = onSubjectChanged({
  deleted: (tx, subjectId) => endEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
  restored: (tx, subjectId) => restoreEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
});

/** The durable consumers of this service. */
export const consumers = [
  { durable: 'enrollment-identity-users', filter: userEvents, handlers: userHandlers },
  // Subjects have their own consumer: access ends with a subject, also while thousands of topics are being updated.
  { durable: 'enrollment-content-subjects', filter: 'lms.content.subject.*.v1', handlers: subjectHandlers },
  { durable: 'enrollment-content-outline', filter: 'lms.content.*.*.v1', handlers: outlineHandlers },
];

/** The handlers of all consumed events. */
export const handlers = [...userHandlers, ...subjectHandlers, ...outlineHandlers];
