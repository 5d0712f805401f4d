import { type UserState, userCreated, userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { type Heard, type Listener, on } from '@lms/events/consume';
import { mentorship } from './mentors-repository.ts';
import { nodes } from './repository.ts';
import { tell } from './tell.ts';

type Told = Pick<Heard<typeof UserState>, 'data' | 'version' | 'changes' | 'actorId' | 'requestId'>;

/** What is done about news of people: assignments end with the role of MENTOR, and with the account. */
export const userListeners: Listener[] = [
  on(userCreated, (tx, event) => hearOfUser(tx, event)),
  on(userUpdated, (tx, event) => hearOfUser(tx, event)),
  on(userRoleChanged, (tx, event) => hearOfUser(tx, event)),
  on(userDeleted, (tx, event) => hearOfUser(tx, event, true)),
];

async function hearOfUser(tx: Db, { data, version, changes, actorId, requestId }: Told, isGone = false) {
  const known = await mentorship(tx).find(data.id);
  const isMentor = !isGone && data.roles.includes('MENTOR');
  const wasMentor = known?.isMentor ?? rolesBefore(changes).includes('MENTOR');
  if (!isMentor && !wasMentor && !isGone) return;
  // An anonymized account names nobody any more; then the names it had are meant.
  const identityProviderId = data.identityProviderId ?? known?.identityProviderId ?? null;
  const email = known?.email ?? (data.emailVerified ? data.email.toLowerCase() : null);
  const keeps = isMentor ? namesOf(data) : { identityProviderId: null, email: null };
  const isNews = await mentorship(tx).note({ userId: data.id, isMentor, version, ...keeps });
  if (!isNews || isMentor) return;
  // Several subjects change in one statement, so nobody else may change the tree meanwhile.
  await nodes(tx).changeStructure();
  const freed = await mentorship(tx).endAssignments(identityProviderId, email);
  const changed = freed
    .filter((subject) => subject.deletedAt === null)
    .map((after) => ({ before: { ...after, mentorId: identityProviderId }, after }));
  await tell(tx, 'updated', changed, { actorId, requestId });
}

const namesOf = ({ identityProviderId, email, emailVerified }: UserState) => ({
  identityProviderId,
  email: emailVerified ? email.toLowerCase() : null,
});

const rolesBefore = (changes: Told['changes']): unknown[] => {
  const from = changes?.roles?.from;
  return Array.isArray(from) ? from : [];
};
