import { createHash } from 'node:crypto';
import {
  anonymizedEmail,
  type DeletedUserState,
  type UserState,
  userCreated,
  userDeleted,
  userRoleChanged,
  userUpdated,
} from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { recordErasure } from '@lms/events/erasures';
import { type ConsumedEvent, type EventHandler, on } from '@lms/events/event-handler';
import { originalId } from '@lms/events/restored-database';
import { appendNodeEvents } from './events.ts';
import { type Mentor, mentors } from './mentors-repository.ts';
import { nodes } from './repository.ts';

type UserEvent = Pick<
  ConsumedEvent<typeof DeletedUserState>,
  'id' | 'data' | 'version' | 'changes' | 'actorId' | 'requestId' | 'time'
>;

/** A mentor's assignments end when the user loses the role MENTOR or is deleted. */
export const userHandlers: EventHandler[] = [
  on(userCreated, (tx, event) => onUserChanged(tx, event)),
  on(userUpdated, (tx, event) => onUserChanged(tx, event)),
  on(userRoleChanged, (tx, event) => onUserChanged(tx, event)),
  on(userDeleted, (tx, event) => onUserChanged(tx, event, true)),
];

async function onUserChanged(tx: Db, event: UserEvent, isDeleted = false) {
  const { data, version, changes, actorId, requestId, time } = event;
  const stored = await mentors(tx).find(data.id);
  if (data.identityProviderId === null) return onUserAnonymized(tx, event, stored);
  const isMentor = !isDeleted && data.roles.includes('MENTOR');
  const wasMentor = stored?.isMentor ?? rolesBefore(changes).includes('MENTOR');
  if (!isMentor && !wasMentor && !isDeleted) return;
  const { identityProviderId } = data;
  const identifiers = identifiersOf(data);
  const mentor = { userId: data.id, isMentor, version, ...(isMentor ? identifiers : noIdentifiers) };
  const isNewer = await mentors(tx).upsert(mentor);
  // The role was granted again, but the event of its end is late or lost: what was assigned before ends all the same. An
  // event that a new epoch publishes again grants nothing again.
  const isGranted = changes?.roles !== undefined && !rolesBefore(changes).includes('MENTOR');
  const hasMissedEnd = stored?.isMentor === true && isGranted && event.id === originalId(event.id);
  if (!isNewer || (isMentor && !hasMissedEnd)) return;
  // Several subjects change in one statement, so all other changes of the tree have to wait.
  await nodes(tx).lockStructure();
  // An event may arrive hours late, after the role was granted again with new assignments.
  const unassigned = await mentors(tx).unassign(identityProviderId, [stored?.email, identifiers.email], time);
  const changed = unassigned
    .filter((subject) => subject.deletedAt === null)
    .map((after) => ({ before: { ...after, mentorId: identityProviderId }, after }));
  await appendNodeEvents(tx, 'updated', changed, { actorId, requestId });
}

/**
 * Removes the identifiers of an anonymized user from all subjects, even if the user never was a mentor, and from stored
 * responses and events. Handling the event twice changes nothing; an older event that arrives later stores nothing.
 */
async function onUserAnonymized(tx: Db, { data, version, actorId, requestId }: UserEvent, stored: Mentor | undefined) {
  await mentors(tx).upsert({ userId: data.id, isMentor: false, version, ...noIdentifiers });
  const identifiers = [stored?.identityProviderId, stored?.email].filter((text) => typeof text === 'string');
  const hashes = [...(data.identifierHashes ?? []), ...identifiers.map(hashOf)];
  // After this lock is acquired, all requests that wrote such an identifier have committed, with their stored responses.
  await nodes(tx).lockStructure();
  const changed = await mentors(tx).removeIdentifiers(hashes);
  await mentors(tx).removeStoredIdentifiers(hashes);
  // The provider id of a closed account may be used again, so its events stay.
  if (data.email === anonymizedEmail(data.id)) await recordErasure(tx, { id: data.id, identifierHashes: hashes });
  // `before` equals `after`, because these events must not contain the removed identifiers either.
  const events = changed.filter(({ deletedAt }) => deletedAt === null).map((after) => ({ before: after, after }));
  await appendNodeEvents(tx, 'updated', events, { actorId, requestId });
}

const noIdentifiers = { identityProviderId: null, email: null };

const hashOf = (identifier: string) => createHash('sha256').update(identifier).digest('hex');

const identifiersOf = ({ identityProviderId, email, emailVerified }: UserState) => ({
  identityProviderId,
  email: emailVerified ? email.toLowerCase() : null,
});

const rolesBefore = (changes: UserEvent['changes']): unknown[] => {
  const from = changes?.roles?.from;
  return Array.isArray(from) ? from : [];
};
