import { userEvents } from '@lms/contracts/events/identity';
import { endEnrollments, restoreEnrollments } from './enrollments/end-enrollments.ts';
import { forgetMessages } from './enrollments/forget-messages.ts';
import { forgetNotes } from './notes/forget-notes.ts';
import { onContentChanged } from './outline/on-content-changed.ts';
import { onUserChanged } from './users/on-user-changed.ts';
import { users } from './users/repository.ts';

const userHandlers = onUserChanged({
  deleted: (tx, userId) => endEnrollments(tx, { userId }, 'USER_DELETED'),
  restored: (tx, userId) => restoreEnrollments(tx, { userId }, 'USER_DELETED'),
  async anonymized(tx, userId) {
    await forgetMessages(tx, userId);
    await forgetNotes(tx, userId);
    await users(tx).deletePersonalCopies(userId);
  },
});
const contentHandlers = onContentChanged({
  deleted: (tx, subjectId) => endEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
  restored: (tx, subjectId) => restoreEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
});

/** The durable consumers of enrollment. */
export const consumers = [
  { durable: 'enrollment-identity-users', filter: userEvents, handlers: userHandlers },
  // One consumer for all four kinds, so that the events of a subject and of its topics stay in order.
  { durable: 'enrollment-content-outline', filter: 'lms.content.*.*.v1', handlers: contentHandlers },
];

/** The handlers of all consumed events. */
export const handlers = [...userHandlers, ...contentHandlers];
