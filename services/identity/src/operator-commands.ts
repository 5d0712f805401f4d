import { userDeleted, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { listDeadLetters, replayDeadLetter } from '@lms/events/dead-letters';
import { neighbourChanges } from './audit/on-neighbour-change.ts';
import { people } from './people.ts';
import { assignRole } from './roles/assign-role.ts';
import { announceUser } from './users/announce-user.ts';
import { normalizeEmail } from './users/email.ts';
import { activeRoles } from './users/present.ts';
import { users } from './users/repository.ts';

export const usage = `usage: operator <command>

  grant-admin <email>         makes the user with this verified e-mail an ADMIN
  dead-letters list           shows the events that could not be dealt with
  dead-letters replay <id>    deals with one of them again
  republish <userId>          tells the neighbours once more how a user is now

DATABASE_URL (or DATABASE_URL_FILE) names identity's database.
`;

/** What the audit trail and the assignment name as the actor. */
const cause = { actorId: 'operator' };

async function grantAdmin(db: Db, email: string): Promise<string> {
  const user = await users(db).findByEmail(normalizeEmail(email));
  if (!user?.emailVerified) throw new Error(`There is no user with the verified e-mail ${email}`);
  if (activeRoles(await users(db).get(user.id)).includes('ADMIN')) return `${email} is an ADMIN already`;
  await assignRole(db, people, user.id, 'ADMIN', cause);
  return `${email} is an ADMIN now`;
}

async function showDeadLetters(db: Db): Promise<string> {
  const letters = await listDeadLetters(db);
  const lines = letters.map(({ id, createdAt, consumer, subject, attempts, error }) =>
    [id, createdAt.toISOString(), consumer, subject, `${attempts} attempts`, error.split('\n')[0]].join('  '),
  );
  return [...lines, `${letters.length} dead letters`].join('\n');
}

async function replay(db: Db, id: string): Promise<string> {
  await replayDeadLetter(
    db,
    neighbourChanges.flatMap(({ listeners }) => listeners),
    id,
  );
  return `${id} was dealt with`;
}

async function republish(db: Db, userId: string): Promise<string> {
  const { deletedAt, anonymizedAt } = await users(db).get(userId);
  const news = deletedAt || anonymizedAt ? userDeleted : userUpdated;
  await db.transaction((tx) => announceUser(tx, news, userId, { cause: {} }));
  return `${userId} will be told again`;
}

/** Does what was asked and answers what to print. */
export type Command = (db: Db) => Promise<string>;

/** The command that the words stand for, or undefined where they stand for none. */
export function chooseCommand([command, ...words]: string[]): Command | undefined {
  const [first, second] = words;
  if (command === 'grant-admin' && first && words.length === 1) return (db) => grantAdmin(db, first);
  if (command === 'republish' && first && words.length === 1) return (db) => republish(db, first);
  if (command !== 'dead-letters') return undefined;
  if (first === 'list' && words.length === 1) return showDeadLetters;
  return first === 'replay' && second && words.length === 2 ? (db) => replay(db, second) : undefined;
}
