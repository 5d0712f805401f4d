import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { UserState } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { toState } from './present.ts';
import { type Person, users } from './repository.ts';

/** Tells what became of somebody, in the transaction of the change; answers how they are now. */
export async function announceUser(
  tx: Db,
  definition: EventDefinition<typeof UserState>,
  userId: string,
  { identifierHashes, ...told }: { changes?: Changes; cause: Cause; identifierHashes?: string[] },
): Promise<Person> {
  const person = await users(tx).get(userId);
  const data = { ...toState(person), ...(identifierHashes && { identifierHashes }) };
  await appendEvent(tx, definition, { aggregateId: userId, data, ...told });
  return person;
}
