import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { UserState } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { toUserState } from './presenter.ts';
import { type UserWithRoles, users } from './repository.ts';

/** Tells what became of somebody, in the transaction of the change; answers how they are now. */
export async function appendUserEvent(
  tx: Db,
  definition: EventDefinition<typeof UserState>,
  userId: string,
  { identifierHashes, ...told }: { changes?: Changes; cause: Cause; identifierHashes?: string[] },
): Promise<UserWithRoles> {
  const user = await users(tx).get(userId);
  const data = { ...toUserState(user), ...(identifierHashes && { identifierHashes }) };
  await appendEvent(tx, definition, { aggregateId: userId, data, ...told });
  return user;
}
