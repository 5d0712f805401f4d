import type { Db } from '@lms/database/connect';
import { LastAdmin } from './errors.ts';
import { roleAssignments } from './role-repository.ts';

/**
 * Call this before you remove, suspend or anonymize an active admin. The user's row must be locked. Of two concurrent
 * removals, the second waits for the lock and then counts without the first.
 * @throws LastAdmin
 */
export async function requireAnotherAdmin(tx: Db, userId: string) {
  const roles = await roleAssignments(tx).listActiveRoles(userId);
  if (!roles.includes('ADMIN')) return;
  await roleAssignments(tx).lockAdmins();
  if ((await roleAssignments(tx).countOtherAdmins(userId)) === 0) throw new LastAdmin();
}
