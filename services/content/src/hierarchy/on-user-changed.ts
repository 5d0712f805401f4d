import { createHash } from 'node:crypto';
import {
  type DeletedUserState,
  type UserState,
  userCreated,
  userDeleted,
  userRoleChanged,
  userUpdated,
} from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { type ConsumedEvent, type EventHandler, on } from '@lms/events/consume';
import { type KnownMentor, mentorship } from './mentors-repository.ts';
import { nodes } from './repository.ts';
import { tell } from './tell.ts';

type Told = Pick<ConsumedEvent<typeof DeletedUserState>, 'data' | 'version' | 'changes' | 'actorId' | 'requestId'>;

/** What is done about news of people: assignments end with the role of MENTOR, and with the account. */
export const userHandlers: EventHandler[] = [
  on(userCreated, (tx, event) => hearOfUser(tx, event)),
  on(userUpdated, (tx, event) => hearOfUser(tx, event)),
  on(userRoleChanged, (tx, event) => hearOfUser(tx, event)),
  on(userDeleted, (tx, event) => hearOfUser(tx, event, true)),
];

async function hearOfUser(tx: Db, event: Told, isGone = false) {
  const { data, version, changes, actorId, requestId } = event;
  const known = await mentorship(tx).find(data.id);
  if (data.identityProviderId === null) return forgetUser(tx, event, known);
  const isMentor = !isGone && data.roles.includes('MENTOR');
  const wasMentor = known?.isMentor ?? rolesBefore(changes).includes('MENTOR');
  if (!isMentor && !wasMentor && !isGone) return;
  const { identityProviderId } = data;
  const names = namesOf(data);
  const keeps = isMentor ? names : noNames;
  const isNews = await mentorship(tx).note({ userId: data.id, isMentor, version, ...keeps });
  if (!isNews || isMentor) return;
  // Several subjects change in one statement, so nobody else may change the tree meanwhile.
  await nodes(tx).changeStructure();
  const freed = await mentorship(tx).endAssignments(identityProviderId, [known?.email, names.email]);
  const changed = freed
    .filter((subject) => subject.deletedAt === null)
    .map((after) => ({ before: { ...after, mentorId: identityProviderId }, after }));
  await tell(tx, 'updated', changed, { actorId, requestId });
}

/**
 * Removes an anonymized user from every subject that names them, whether or not they ever had the role of MENTOR, and
 * from what is stored to be sent again. Repeating it changes nothing, and an earlier event that comes later stores nothing.
 */
async function forgetUser(tx: Db, { data, version, actorId, requestId }: Told, known: KnownMentor | undefined) {
  await mentorship(tx).note({ userId: data.id, isMentor: false, version, ...noNames });
  const identifiers = [known?.identityProviderId, known?.email].filter((text) => typeof text === 'string');
  const hashes = [...(data.identifierHashes ?? []), ...identifiers.map(hashOf)];
  // Once this is held, every request that was writing such a name has committed, its stored response included.
  await nodes(tx).changeStructure();
  const changed = await mentorship(tx).removeNames(hashes);
  await mentorship(tx).removeStoredNames(data.id, hashes);
  // These events must not name the user either, so they say nothing of what the mentor was.
  const events = changed.filter(({ deletedAt }) => deletedAt === null).map((after) => ({ before: after, after }));
  await tell(tx, 'updated', events, { actorId, requestId });
}

const noNames = { identityProviderId: null, email: null };

const hashOf = (identifier: string) => createHash('sha256').update(identifier).digest('hex');

const namesOf = ({ identityProviderId, email, emailVerified }: UserState) => ({
  identityProviderId,
  email: emailVerified ? email.toLowerCase() : null,
});

const rolesBefore = (changes: Told['changes']): unknown[] => {
  const from = changes?.roles?.from;
  return Array.isArray(from) ? from : [];
};
