import { userUpdated } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { announceUser } from './announce-user.ts';
import { changesBetween } from './changes.ts';
import { lockUser } from './lock-user.ts';
import { type Person, type UserChange, users } from './repository.ts';

export interface Names {
  firstName?: string | null;
  lastName?: string | null;
}

/** Empty names are none. */
export const readNames = ({ firstName, lastName }: Names): Names => ({
  ...(firstName !== undefined && { firstName: firstName || null }),
  ...(lastName !== undefined && { lastName: lastName || null }),
});

/** @throws UserNotFound, UserGone */
export function updateProfile(db: Db, userId: string, given: Names, cause: Cause): Promise<Person> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const before = await users(tx).get(userId);
    const names = readNames(given);
    const changes = changesBetween<UserChange>(before, names);
    if (Object.keys(changes).length === 0) return before;
    await users(tx).update(before, { ...names, namesEditedAt: new Date() });
    return announceUser(tx, userUpdated, userId, { changes, cause });
  });
}
