import { enrollmentEvents } from '@lms/contracts/events/enrollment';
import { userEvents } from '@lms/contracts/events/identity';
import { isId } from '@lms/contracts/ids';
import type { Database } from '@lms/database/connect';
import type { Bus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import { listen } from '@lms/events/listen';
import type { Logger } from 'pino';
import type { Entitlement } from './entitlement/create-entitlement.ts';
import { userListeners } from './hierarchy/on-user-changed.ts';

/** Starts hearing what neighbours tell; resolves when the bus was closed and the last event dealt with. */
export async function hearNeighbours(database: Database, bus: Bus, logger: Logger) {
  await consume({
    database,
    bus,
    logger,
    durable: 'content-identity-users',
    filter: userEvents,
    listeners: userListeners,
  }).ended;
}

/** Lets remembered grants go with every change of an enrollment, and all of them when news may have been missed. */
export const hearEnrollments = (bus: Bus, authority: Pick<Entitlement, 'forget' | 'forgetAll'>) =>
  listen({
    bus,
    subject: enrollmentEvents,
    missed: authority.forgetAll,
    heard({ data }) {
      const { userId, subjectId } = Object(data);
      if (isId(userId) && isId(subjectId)) authority.forget(userId, subjectId);
      else authority.forgetAll();
    },
  });
