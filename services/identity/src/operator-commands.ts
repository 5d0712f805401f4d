import { userDeleted, userUpdated } from '@lms/contracts/events/identity';
import type { Command } from '@lms/service/operator/command';
import { deadLetterCommands } from '@lms/service/operator/event-commands';
import { auditConsumers } from './audit/on-service-event.ts';
import { isAnonymized, people } from './people.ts';
import { assignRole } from './users/assign-role.ts';
import { normalizeEmail } from './users/email.ts';
import { appendUserEvent } from './users/events.ts';
import { activeRoles } from './users/presenter.ts';
import { users } from './users/repository.ts';

/** What the audit trail and the assignment name as the actor. */
const cause = { actorId: 'operator' };

const grantAdmin: Command = {
  usage: 'grant-admin <email>',
  description: 'makes the user with this verified e-mail an ADMIN',
  async run({ database: { db } }, email = '') {
    const user = await users(db).findByEmail(normalizeEmail(email));
    if (!user?.emailVerified) throw new Error(`There is no user with the verified e-mail ${email}`);
    if (activeRoles(await users(db).get(user.id)).includes('ADMIN')) return `${email} is an ADMIN already`;
    await assignRole(db, people, user.id, 'ADMIN', cause);
    return `${email} is an ADMIN now`;
  },
};

const republishUser: Command = {
  usage: 'republish <userId>',
  description: 'tells the neighbours once more how a user is now',
  async run({ database: { db } }, userId = '') {
    const { deletedAt, anonymizedAt } = await users(db).get(userId);
    const news = deletedAt || anonymizedAt ? userDeleted : userUpdated;
    await db.transaction((tx) => appendUserEvent(tx, news, userId, { cause: {} }));
    return `${userId} will be told again`;
  },
};

const handlers = auditConsumers(isAnonymized).flatMap((change) => change.handlers);
export const commands = [grantAdmin, ...deadLetterCommands(() => handlers), republishUser];
