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
import { appendNodeEvents } from './events.ts';
import { type Mentor, mentorAssignments } from './mentors-repository.ts';
import { nodes } from './repository.ts';

type UserEvent = Pick<ConsumedEvent<typeof DeletedUserState>, 'data' | 'version' | 'changes' | 'actorId' | 'requestId'>;

/** What is done about news of people: assignments end with the role of MENTOR, and with the account. */
export const userHandlers: EventHandler[] = [
  on(userCreated, (tx, event) => onUserChanged(tx, event)),
  on(userUpdated, (tx, event) => onUserChanged(tx, event)),
  on(userRoleChanged, (tx, event) => onUserChanged(tx, event)),
  on(userDeleted, (tx, event) => onUserChanged(tx, event, true)),
];

async function onUserChanged(tx: Db, event: UserEvent, isDeleted = false) {
  const { data, version, changes, actorId, requestId } = event;
  const known = await mentorAssignments(tx).find(data.id);
  if (data.identityProviderId === null) return onUserAnonymized(tx, event, known);
  const isMentor = !isDeleted && data.roles.includes('MENTOR');
  const wasMentor = known?.isMentor ?? rolesBefore(changes).includes('MENTOR');
  if (!isMentor && !wasMentor && !isDeleted) return;
  const { identityProviderId } = data;
  const names = namesOf(data);
  const keeps = isMentor ? names : noIdentifiers;
  const isNewer = await mentorAssignments(tx).note({ userId: data.id, isMentor, version, ...keeps });
  if (!isNewer || isMentor) return;
  // Several subjects change in one statement, so nobody else may change the tree meanwhile.
  await nodes(tx).lockStructure();
  const unassigned = await mentorAssignments(tx).removeMentor(identityProviderId, [known?.email, names.email]);
  const changed = unassigned
    .filter((subject) => subject.deletedAt === null)
    .map((after) => ({ before: { ...after, mentorId: identityProviderId }, after }));
  await appendNodeEvents(tx, 'updated', changed, { actorId, requestId });
}

/**
 * Removes an anonymized user from every subject that names them, whether or not they ever had the role of MENTOR, and
 * from what is stored to be sent again. Repeating it changes nothing, and an earlier event that comes later stores nothing.
 */
async function onUserAnonymized(tx: Db, { data, version, actorId, requestId }: UserEvent, known: Mentor | undefined) {
  await mentorAssignments(tx).note({ userId: data.id, isMentor: false, version, ...noIdentifiers });
  const identifiers = [known?.identityProviderId, known?.email].filter((text) => typeof text === 'string');
  const hashes = [...(data.identifierHashes ?? []), ...identifiers.map(hashOf)];
  // Once this is held, every request that was writing such a name has committed, its stored response included.
  await nodes(tx).lockStructure();
  const changed = await mentorAssignments(tx).removeIdentifiers(hashes);
  await mentorAssignments(tx).removeStoredIdentifiers(data.id, hashes);
  // These events must not name the user either, so they say nothing of what the mentor was.
  const events = changed.filter(({ deletedAt }) => deletedAt === null).map((after) => ({ before: after, after }));
  await appendNodeEvents(tx, 'updated', events, { actorId, requestId });
}

const noIdentifiers = { identityProviderId: null, email: null };

const hashOf = (identifier: string) => createHash('sha256').update(identifier).digest('hex');

const namesOf = ({ identityProviderId, email, emailVerified }: UserState) => ({
  identityProviderId,
  email: emailVerified ? email.toLowerCase() : null,
});

const rolesBefore = (changes: UserEvent['changes']): unknown[] => {
  const from = changes?.roles?.from;
  return Array.isArray(from) ? from : [];
};
