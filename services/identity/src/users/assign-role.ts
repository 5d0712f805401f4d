import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { People } from '../roles/people.ts';
import { type Assignment, assignments } from './role-repository.ts';

/**
 * Assigns a role; an active assignment of the same role ends at the same instant.
 * @throws UserNotFound, UserGone
 */
export function assignRole(db: Db, people: People, userId: string, role: Role, cause: Cause): Promise<Assignment> {
  return db.transaction(async (tx) => {
    await people.lock(tx, userId);
    return grantRole(tx, people, userId, role, cause);
  });
}

/** The same within a transaction that holds the lock of the user's row. */
export async function grantRole(tx: Db, people: People, userId: string, role: Role, cause: Cause): Promise<Assignment> {
  const from = await assignments(tx).activeRoles(userId);
  const assignment = await assignments(tx).start({ userId, role, assignedBy: cause.actorId ?? null });
  const to = await assignments(tx).activeRoles(userId);
  await people.tellRoles(tx, userId, { changes: { roles: { from, to } }, cause });
  return assignment;
}
