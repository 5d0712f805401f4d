import type { UserState } from '@lms/contracts/events/identity';
import { type Principal, type Role, roles as roleNames } from '@lms/contracts/passport';
import { toWire } from '@lms/contracts/wire';
import type { UserWithRoles } from './repository.ts';
import type { UserRoleRow } from './role-repository.ts';
import type { User } from './schemas.ts';

/** The user's active roles, in the order LEARNER, MENTOR, ADMIN. */
export function activeRoles({ userRoles }: Pick<UserWithRoles, 'userRoles'>): Role[] {
  const active = new Set(userRoles.filter(({ isActive }) => isActive).map(({ role }) => role));
  return roleNames.filter((role) => active.has(role));
}

export const toUserRole = (row: UserRoleRow) => toWire(row);

export function toUser(user: UserWithRoles): User {
  const { id, identityProviderId, email, emailVerified, firstName, lastName, status, statusReason, plan } = user;
  return {
    ...{ id, identityProviderId, email, emailVerified, firstName, lastName, status, statusReason, plan },
    roles: activeRoles(user),
    userRoles: user.userRoles.map(toUserRole),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

/** The state in events: the user without `statusReason` and the history of roles. */
export function toUserState(user: UserWithRoles): UserState {
  const { statusReason: _statusReason, userRoles: _userRoles, ...state } = toUser(user);
  return state;
}

/** The principal that the gateway signs. An anonymized user has none, because it has no identity. */
export function toPrincipal(user: UserWithRoles, identityProviderId: string, isNew = false): Principal {
  const { id, createdAt: _createdAt, updatedAt: _updatedAt, ...state } = toUserState(user);
  return { ...state, userId: id, identityProviderId, ...(isNew && { isNew }) };
}
