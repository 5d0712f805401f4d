import { userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { appendUserEvent, changesBetween } from './events.ts';
import { type UserChange, type UserWithRoles, users } from './repository.ts';

export interface Names {
  firstName?: string | null;
  lastName?: string | null;
}

/** An empty name becomes null. */
export const normalizeNames = ({ firstName, lastName }: Names): Names => ({
  ...(firstName !== undefined && { firstName: firstName || null }),
  ...(lastName !== undefined && { lastName: lastName || null }),
});

/** @throws UserNotFound, UserDeleted */
export function updateProfile(db: Db, userId: string, input: Names, cause: Cause): Promise<UserWithRoles> {
  return db.transaction(async (tx) => {
    await users(tx).lockExisting(userId);
    const before = await users(tx).get(userId);
    const names = normalizeNames(input);
    const changes = changesBetween<UserChange>(before, names);
    if (Object.keys(changes).length === 0) return before;
    await users(tx).update(before, { ...names, namesEditedAt: new Date() });
    return appendUserEvent(tx, userUpdated, userId, { changes, cause });
  });
}
