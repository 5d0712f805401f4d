import { userEvents } from '@lms/contracts/events/identity';
import type { Database } from '@lms/database/connect';
import type { Bus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import type { Logger } from 'pino';
import { forgetMessages } from './enrollments/forget-messages.ts';
import { bringBackEnrollments, endEnrollments } from './enrollments/on-party-deleted.ts';
import { forgetNotes } from './notes/forget-notes.ts';
import { onContentChanged } from './outline/on-content-changed.ts';
import { onUserChanged } from './people/on-user-changed.ts';
import { people } from './people/repository.ts';

/** Which room does what about the neighbours' news. */
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

/** What is done about each event, whichever consumer brings it. */
export const listeners = [...users, ...content];

/** Starts hearing what the neighbours tell; resolves when the bus was closed and the last event dealt with. */
export async function hearNeighbours(database: Database, bus: Bus, logger: Logger) {
  const line = { database, bus, logger };
  await Promise.all([
    consume({ ...line, durable: 'enrollment-identity-users', filter: userEvents, listeners: users }).ended,
    // All four kinds through one consumer: what is told of a subject and of its topics stays in order.
    consume({ ...line, durable: 'enrollment-content-outline', filter: 'lms.content.*.*.v1', listeners: content }).ended,
  ]);
}
