import { userEvents } from '@lms/contracts/events/identity';
import { deletions } from './enrollments/deletions-repository.ts';
import { endEnrollments } from './enrollments/end-enrollments.ts';
import { restoreEnrollments } from './enrollments/restore-enrollments.ts';
import { notes } from './notes/repository.ts';
import { onContentChanged } from './outline/on-content-changed.ts';
import { onUserChanged } from './users/on-user-changed.ts';
import { users } from './users/repository.ts';

const userHandlers = onUserChanged({
  deleted: (tx, userId) => endEnrollments(tx, { userId }, 'USER_DELETED'),
  restored: (tx, userId) => restoreEnrollments(tx, { userId }, 'USER_DELETED'),
  async anonymized(tx, userId) {
    await deletions(tx).deleteMessages(userId);
    await notes(tx).deleteByUser(userId);
    await users(tx).deletePersonalCopies(userId);
  },
});
const contentHandlers = onContentChanged({
  deleted: (tx, subjectId) => endEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
  restored: (tx, subjectId) => restoreEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
});

/** The durable consumers of this service. */
export const consumers = [
  { durable: 'enrollment-identity-users', filter: userEvents, handlers: userHandlers },
  // One consumer for all four kinds, so that the events of a subject and of its topics stay in order.
  { durable: 'enrollment-content-outline', filter: 'lms.content.*.*.v1', handlers: contentHandlers },
];

/** The handlers of all consumed events. */
export const handlers = [...userHandlers, ...contentHandlers];
