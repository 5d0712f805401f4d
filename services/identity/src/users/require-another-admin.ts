import type { Db } from '@lms/database/connect';
import { LastAdmin } from '../roles/errors.ts';
import { assignments } from './role-repository.ts';

/**
 * Guards whatever makes an active admin fewer; the user's own row must be locked. Of two that would go at once, the
 * second waits here and then sees that the first is gone.
 * @throws LastAdmin
 */
export async function requireAnotherAdmin(tx: Db, userId: string) {
  const roles = await assignments(tx).activeRoles(userId);
  if (!roles.includes('ADMIN')) return;
  await assignments(tx).lockAdmins();
  if ((await assignments(tx).countAdminsBesides(userId)) === 0) throw new LastAdmin();
}
