import type { Db } from '@lms/database/connect';
import { UserDeleted, UserNotFound } from './errors.ts';
import { type UserRow, users } from './repository.ts';

/** Locks the row of somebody who is still with us. @throws UserNotFound, UserGone */
export async function lockUser(tx: Db, userId: string): Promise<UserRow> {
  const [row] = await users(tx).lock(userId);
  if (!row) throw new UserNotFound();
  if (row.deletedAt || row.anonymizedAt) throw new UserDeleted({ details: { current: row.status } });
  return row;
}
