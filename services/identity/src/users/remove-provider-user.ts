import { userDeleted } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { appendUserEvent } from './events.ts';
import { users } from './repository.ts';

/** Ends an account that the provider has deleted, known here or not; nothing that comes later revives it. */
export async function removeProviderUser(
  tx: Db,
  deps: UserDeps,
  identityProviderId: string,
  cause: Cause,
): Promise<'processed' | 'stale'> {
  await users(tx).lockIdentity(identityProviderId);
  if (!(await users(tx).markIdentityDeleted(identityProviderId))) return 'stale';
  const known = await users(tx).findByIdentity(identityProviderId);
  if (!known) return 'processed';
  const [row] = await users(tx).lock(known.id);
  if (!row) return 'processed';
  await users(tx).update(row, { status: 'INACTIVE', statusReason: null, deletedAt: new Date() });
  await deps.roles.endAll(tx, row.id);
  await deps.withdrawApplications(tx, row.id, cause);
  const changes = { status: { from: row.status, to: 'INACTIVE' } };
  await appendUserEvent(tx, userDeleted, row.id, { changes, cause });
  return 'processed';
}
