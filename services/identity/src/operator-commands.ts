import { userDeleted, userUpdated } from '@lms/contracts/events/identity';
import type { Command } from '@lms/service/operator/command';
import { beginEpochCommand, deadLetterCommands, republishSinceCommand } from '@lms/service/operator/event-commands';
import { repeatErasure } from './apply-erasures.ts';
import { recordChange } from './audit/record-change.ts';
import { consumers } from './consumers.ts';
import { anonymizations } from './users/anonymization-repository.ts';
import { assignRole } from './users/assign-role.ts';
import { normalizeEmail } from './users/email.ts';
import { appendUserEvent } from './users/events.ts';
import { activeRoles } from './users/presenter.ts';
import { users } from './users/repository.ts';

/** The actor in the audit trail and in the role assignment. */
const cause = { actorId: 'operator' };

const grantAdmin: Command = {
  usage: 'grant-admin <email>',
  description: 'make the user with this verified e-mail an ADMIN',
  async run({ database: { db } }, email = '') {
    const user = await users(db).findByEmail(normalizeEmail(email));
    if (!user?.emailVerified) throw new Error(`There is no user with the verified e-mail ${email}`);
    if (activeRoles(await users(db).get(user.id)).includes('ADMIN')) return `${email} is already an ADMIN`;
    await assignRole(db, { recordChange }, user.id, 'ADMIN', cause);
    return `${email} is an ADMIN now`;
  },
};

const republishUser: Command = {
  usage: 'republish <userId>',
  description: "publish an event with the user's current state",
  async run({ database: { db } }, userId = '') {
    await db.transaction(async (tx) => {
      // Otherwise a change that is committed meanwhile would be followed by the state before it.
      await users(tx).lock(userId);
      const { deletedAt, anonymizedAt } = await users(tx).get(userId);
      const definition = deletedAt || anonymizedAt ? userDeleted : userUpdated;
      await appendUserEvent(tx, definition, userId, { cause: {} });
    });
    return `${userId} will be published again`;
  },
};

const listErasures: Command = {
  usage: 'erasures list',
  description: 'list the ids of the anonymized users',
  run: async ({ database: { db } }) => (await anonymizations(db).listAnonymized()).join('\n'),
};

const applyErasure: Command = {
  usage: 'erasures apply <userId>',
  description: 'anonymize a user again in all services, after a restore from before it',
  async run({ database: { db } }, userId = '') {
    await repeatErasure(db, userId);
    return `${userId} is anonymized in all services`;
  },
};

const applyAllErasures: Command = {
  usage: 'erasures apply-all',
  description: 'do that for all anonymized users, after another service was restored alone',
  async run({ database: { db } }) {
    const ids = await anonymizations(db).listAnonymized();
    for (const id of ids) await repeatErasure(db, id);
    return `${ids.length} users are anonymized in all services`;
  },
};

const handlers = consumers.flatMap((consumer) => consumer.handlers);
export const commands = [
  grantAdmin,
  ...deadLetterCommands(() => handlers),
  republishUser,
  listErasures,
  applyErasure,
  applyAllErasures,
  republishSinceCommand,
  beginEpochCommand,
];
