import { isId } from '@lms/contracts/ids';
import { principalPath } from '@lms/contracts/internal/identity';
import { Principal } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { UserNotFound } from './errors.ts';
import { users } from './repository.ts';

/**
 * Makes sure that the local copy contains a user; requests the user from identity otherwise.
 * @throws UserNotFound if the user is unknown or deleted
 */
export async function ensureUser(
  db: Db,
  identity: Pick<ServiceClient, 'request'>,
  context: CallContext,
  id: string,
): Promise<void> {
  if (!isId(id)) throw new UserNotFound();
  const known = await users(db).find(id);
  if (known?.isDeleted) throw new UserNotFound();
  if (!known) await users(db).insertIfAbsent(await identity.request(Principal, context, { path: principalPath(id) }));
}
