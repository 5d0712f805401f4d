import type { UserState } from '@lms/contracts/events/identity';
import { type Principal, type Role, roles as roleNames } from '@lms/contracts/passport';
import { toWire } from '@lms/contracts/wire';
import type { Person } from './repository.ts';
import type { User } from './schemas.ts';

/** The names of the roles that somebody holds now, in the order of their weight. */
export function activeRoles({ userRoles }: Pick<Person, 'userRoles'>): Role[] {
  const active = new Set(userRoles.filter(({ isActive }) => isActive).map(({ role }) => role));
  return roleNames.filter((role) => active.has(role));
}

export function toUser(person: Person): User {
  const { id, identityProviderId, email, emailVerified, firstName, lastName, status, statusReason, plan } = person;
  return {
    ...{ id, identityProviderId, email, emailVerified, firstName, lastName, status, statusReason, plan },
    roles: activeRoles(person),
    userRoles: person.userRoles.map(toWire),
    createdAt: person.createdAt.toISOString(),
    updatedAt: person.updatedAt.toISOString(),
  };
}

/** What neighbours are told. */
export function toState(person: Person): UserState {
  const { statusReason: _statusReason, userRoles: _userRoles, ...state } = toUser(person);
  return state;
}

/** What the gateway signs. An anonymized user has no identity any more and is nobody's principal. */
export function toPrincipal(person: Person, identityProviderId: string): Principal {
  const { id, createdAt: _createdAt, updatedAt: _updatedAt, ...state } = toState(person);
  return { ...state, userId: id, identityProviderId };
}
