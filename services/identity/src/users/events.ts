import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { UserState } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { toUserState } from './presenter.ts';
import { type UserWithRoles, users } from './repository.ts';

/** Appends an event with the user's current state, in the transaction of the change. Returns the user. */
export async function appendUserEvent(
  tx: Db,
  definition: EventDefinition<typeof UserState>,
  userId: string,
  { identifierHashes, ...event }: { changes?: Changes; cause: Cause; identifierHashes?: string[] },
): Promise<UserWithRoles> {
  const user = await users(tx).get(userId);
  const data = { ...toUserState(user), ...(identifierHashes && { identifierHashes }) };
  await appendEvent(tx, definition, { aggregateId: userId, data, ...event });
  return user;
}

/** The fields of `after` whose values differ from those of `before`, as an event lists them. */
export function changesBetween<T extends object>(before: T, after: Partial<T>): Changes {
  const old = new Map(Object.entries(before));
  const differing = Object.entries(after).filter(([field, to]) => !isSame(old.get(field), to));
  return Object.fromEntries(differing.map(([field, to]) => [field, { from: old.get(field) ?? null, to: to ?? null }]));
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
