import { userEvents } from '@lms/contracts/events/identity';
import type { Database } from '@lms/database/connect';
import type { Bus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import type { Logger } from 'pino';
import { onContentChanged } from './outline/on-content-changed.ts';
import { onUserChanged } from './people/on-user-changed.ts';

/** Starts hearing what the neighbours tell; resolves when the bus was closed and the last event dealt with. */
export async function hearNeighbours(database: Database, bus: Bus, logger: Logger) {
  const line = { database, bus, logger };
  const users = consume({
    ...line,
    durable: 'enrollment-identity-users',
    filter: userEvents,
    listeners: onUserChanged,
  });
  // All four kinds through one consumer: what is told of a subject and of its topics stays in order.
  const content = consume({
    ...line,
    durable: 'enrollment-content-outline',
    filter: 'lms.content.*.*.v1',
    listeners: onContentChanged,
  });
  await Promise.all([users.ended, content.ended]);
}
