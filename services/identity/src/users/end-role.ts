import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { RoleNotHeld } from '../roles/errors.ts';
import type { People } from '../roles/people.ts';
import { requireAnotherAdmin } from './require-another-admin.ts';
import { type Assignment, assignments } from './role-repository.ts';

/** Ends a role that is held now. @throws UserNotFound, UserGone, RoleNotHeld, LastAdmin */
export function endRole(db: Db, people: People, userId: string, role: Role, cause: Cause): Promise<Assignment> {
  return db.transaction(async (tx) => {
    const { status } = await people.lock(tx, userId);
    const from = await assignments(tx).activeRoles(userId);
    if (!from.includes(role)) throw new RoleNotHeld({ details: { role } });
    if (role === 'ADMIN' && status === 'ACTIVE') await requireAnotherAdmin(tx, userId);
    const [ended] = await assignments(tx).end(userId, [role], new Date());
    if (!ended) throw new RoleNotHeld({ details: { role } });
    const to = from.filter((held) => held !== role);
    await people.tellRoles(tx, userId, { changes: { roles: { from, to } }, cause });
    return ended;
  });
}
