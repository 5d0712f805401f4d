import { userRoleChanged } from '@lms/contracts/events/identity';
import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { appendUserEvent } from './events.ts';
import { users } from './repository.ts';
import { roleAssignments, type UserRoleRow } from './role-repository.ts';

type Deps = Pick<UserDeps, 'recordChange'>;

/**
 * Assigns a role; an active assignment of the same role ends at the same instant.
 * @throws UserNotFound, UserDeleted
 */
export function assignRole(db: Db, deps: Deps, userId: string, role: Role, cause: Cause): Promise<UserRoleRow> {
  return db.transaction(async (tx) => {
    await users(tx).lockExisting(userId);
    return grantRole(tx, deps, userId, role, cause);
  });
}

/** Assigns a role in a transaction that already holds the lock of the user's row. */
export async function grantRole(tx: Db, deps: Deps, userId: string, role: Role, cause: Cause): Promise<UserRoleRow> {
  const from = await roleAssignments(tx).listActiveRoles(userId);
  const assignment = await roleAssignments(tx).start({ userId, role, assignedBy: cause.actorId ?? null });
  const to = await roleAssignments(tx).listActiveRoles(userId);
  const changes = { roles: { from, to } };
  await deps.recordChange(tx, { cause, action: 'user.role-changed', entity: 'user', entityId: userId, changes });
  await appendUserEvent(tx, userRoleChanged, userId, { changes, cause });
  return assignment;
}
