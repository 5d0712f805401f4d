import { userRoleChanged } from '@lms/contracts/events/identity';
import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { RoleNotHeld } from './errors.ts';
import { appendUserEvent } from './events.ts';
import { users } from './repository.ts';
import { requireAnotherAdmin } from './require-another-admin.ts';
import { roleAssignments, type UserRoleRow } from './role-repository.ts';

/**
 * Ends the active assignment of a role.
 * @throws UserNotFound, UserDeleted, RoleNotHeld, LastAdmin
 */
export function endRole(db: Db, deps: UserDeps, userId: string, role: Role, cause: Cause): Promise<UserRoleRow> {
  return db.transaction(async (tx) => {
    const { status } = await users(tx).lockExisting(userId);
    const from = await roleAssignments(tx).listActiveRoles(userId);
    if (!from.includes(role)) throw new RoleNotHeld({ details: { role } });
    if (role === 'ADMIN' && status === 'ACTIVE') await requireAnotherAdmin(tx, userId);
    const [ended] = await roleAssignments(tx).end(userId, [role]);
    if (!ended) throw new RoleNotHeld({ details: { role } });
    const changes = { roles: { from, to: from.filter((active) => active !== role) } };
    await deps.recordChange(tx, { cause, action: 'user.role-changed', entity: 'user', entityId: userId, changes });
    await appendUserEvent(tx, userRoleChanged, userId, { changes, cause });
    return ended;
  });
}
