import { userEvents } from '@lms/contracts/events/identity';
import { forgetMessages } from './enrollments/forget-messages.ts';
import { bringBackEnrollments, endEnrollments } from './enrollments/on-party-deleted.ts';
import { forgetNotes } from './notes/forget-notes.ts';
import { onContentChanged } from './outline/on-content-changed.ts';
import { onUserChanged } from './people/on-user-changed.ts';
import { people } from './people/repository.ts';

const users = onUserChanged({
  deleted: (tx, userId) => endEnrollments(tx, { userId }, 'USER_DELETED'),
  restored: (tx, userId) => bringBackEnrollments(tx, { userId }, 'USER_DELETED'),
  async anonymized(tx, userId) {
    await forgetMessages(tx, userId);
    await forgetNotes(tx, userId);
    await people(tx).forgetKept(userId);
  },
});
const content = onContentChanged({
  deleted: (tx, subjectId) => endEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
  restored: (tx, subjectId) => bringBackEnrollments(tx, { subjectId }, 'SUBJECT_DELETED'),
});

/** The durable consumers of enrollment. */
export const consumers = [
  { durable: 'enrollment-identity-users', filter: userEvents, handlers: users },
  // One consumer for all four kinds, so that the events of a subject and of its topics stay in order.
  { durable: 'enrollment-content-outline', filter: 'lms.content.*.*.v1', handlers: content },
];

/** The handlers of all consumed events. */
export const handlers = [...users, ...content];
