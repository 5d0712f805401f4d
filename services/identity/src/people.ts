import { userRoleChanged } from '@lms/contracts/events/identity';
import type { IsAnonymized } from './audit/on-service-event.ts';
import { recordChange } from './audit/record-change.ts';
import type { People as Applicants } from './mentor-applications/people.ts';
import type { People } from './roles/people.ts';
import { grantRole } from './users/assign-role.ts';
import { appendUserEvent } from './users/events.ts';
import { lockUser } from './users/lock-user.ts';
import { users } from './users/repository.ts';
import { assignments } from './users/role-repository.ts';

/** People, as the roles' room is handed them. */
export const people: People = {
  lock: lockUser,
  get: (db, userId) => users(db).get(userId),
  async tellRoles(tx, userId, told) {
    await recordChange(tx, { ...told, action: 'user.role-changed', entity: 'user', entityId: userId });
    await appendUserEvent(tx, userRoleChanged, userId, told);
  },
};

/** People, as the audit trail is handed them. A provider's deletion takes the account, anonymizing the link to it as well. */
export const isAnonymized: IsAnonymized = async (tx, identityProviderId) =>
  (await users(tx).isIdentityDeleted(identityProviderId)) && !(await users(tx).findByIdentity(identityProviderId));

/** People, as the room of mentor applications is handed them. */
export const peopleApplying: Applicants = {
  lock: lockUser,
  activeRoles: (tx, userId) => assignments(tx).activeRoles(userId),
  grant: (tx, userId, role, cause) => grantRole(tx, people, userId, role, cause),
  record: recordChange,
};
