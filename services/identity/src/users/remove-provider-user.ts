import { userDeleted } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { announceUser } from './announce-user.ts';
import { users } from './repository.ts';
import type { Rules } from './rules.ts';

/** Ends an account that the provider has deleted, known here or not; nothing that comes later revives it. */
export async function removeProviderUser(
  tx: Db,
  rules: Rules,
  identityProviderId: string,
  cause: Cause,
): Promise<'processed' | 'stale'> {
  await users(tx).lockIdentity(identityProviderId);
  if (!(await users(tx).depart(identityProviderId))) return 'stale';
  const known = await users(tx).findByIdentity(identityProviderId);
  if (!known) return 'processed';
  const [row] = await users(tx).lock(known.id);
  if (!row) return 'processed';
  await users(tx).update(row, { status: 'INACTIVE', statusReason: null, deletedAt: new Date() });
  await rules.roles.endAll(tx, row.id);
  await rules.closeOpen(tx, row.id, cause);
  const changes = { status: { from: row.status, to: 'INACTIVE' } };
  await announceUser(tx, userDeleted, row.id, { changes, cause });
  return 'processed';
}
