import { createHash } from 'node:crypto';
import { AccountInactive } from '@lms/auth/require-role';
import { userDeleted } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { parseEmail } from './email.ts';
import { appendUserEvent } from './events.ts';
import { type UserWithRoles, users } from './repository.ts';
import { roleAssignments } from './role-repository.ts';
import type { ProviderEmail, ProviderUser } from './schemas.ts';
import { type ProviderAccount, upsertUser } from './upsert-user.ts';

/**
 * `ignored`: the account has no e-mail; `stale`: a later state has been applied, or the account is deleted; `conflict`:
 * the e-mail belongs to another user.
 */
export type Outcome = 'processed' | 'ignored' | 'stale' | 'conflict';

/** Applies the provider's state of a user unless a later one has been applied. The provider's clock gives the order. */
export async function applyProviderUser(
  tx: Db,
  deps: UserDeps,
  described: ProviderUser,
  kind: 'created' | 'updated',
  cause: Cause,
): Promise<Outcome> {
  const account = toAccount(described, kind === 'created' ? 0 : 1);
  if (!account) return 'ignored';
  await users(tx).lockIdentity(account.identityProviderId, account.email);
  if (await users(tx).isIdentityDeleted(account.identityProviderId)) return 'stale';
  const known = await users(tx).findByIdentity(account.identityProviderId);
  const applied = known?.providerRevision ?? null;
  if (!isLater(account.providerRevision, applied)) return 'stale';
  const { updated_at: updated, created_at: created } = described;
  const namesWrittenAt = new Date(updated ?? created ?? 0);
  const providerRevision = laterRevision(account.providerRevision, applied);
  const user = await upsertUser(tx, deps, { ...account, namesWrittenAt, providerRevision }, known, cause);
  return user ? 'processed' : 'conflict';
}

export interface AppliedState {
  outcome: Outcome;
  user: UserWithRoles | undefined;
  isNew: boolean;
}

/**
 * Applies a state that the provider has just returned.
 * @throws AccountInactive if the account has been deleted
 */
export function applyCurrentState(
  db: Db,
  deps: UserDeps,
  described: ProviderUser,
  cause: Cause,
): Promise<AppliedState> {
  const { id: identityProviderId } = described;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (!known && (await users(tx).isIdentityDeleted(identityProviderId))) throw new AccountInactive();
    const outcome = await applyProviderUser(tx, deps, described, 'updated', cause);
    const user = await users(tx).findByIdentity(identityProviderId);
    return { outcome, user, isNew: user?.id !== known?.id };
  });
}

/** Deactivates the account that the provider has deleted. Later webhooks and tokens do not recreate it. */
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
  await roleAssignments(tx).endAll(row.id);
  await deps.withdrawApplications(tx, row.id, cause);
  const changes = { status: { from: row.status, to: 'INACTIVE' } };
  await appendUserEvent(tx, userDeleted, row.id, { changes, cause });
  return 'processed';
}

/** Returns undefined if the account has no e-mail. `rank` is 0 for a creation and 1 for an update. */
function toAccount(
  described: ProviderUser,
  rank: number,
): (ProviderAccount & { providerRevision: string }) | undefined {
  const primary = primaryEmailOf(described);
  if (!primary) return undefined;
  const { id: identityProviderId, first_name: firstName, last_name: lastName } = described;
  const account = {
    identityProviderId,
    ...primary,
    ...(firstName !== undefined && { firstName: firstName || null }),
    ...(lastName !== undefined && { lastName: lastName || null }),
  };
  return { ...account, providerRevision: revisionOf(changedAtMs(described, rank), rank, account) };
}

/** The primary e-mail, or else the first one. It is verified unless its verification has another status. */
function primaryEmailOf({ email_addresses: all, primary_email_address_id: primary }: ProviderUser) {
  const entries = all.map((entry): ProviderEmail => (typeof entry === 'string' ? { email_address: entry } : entry));
  const entry = entries.find(({ id }) => id !== undefined && id === primary) ?? entries[0];
  const email = parseEmail(entry?.email_address ?? entry?.email);
  return email && { email, emailVerified: (entry?.verification?.status ?? 'verified') === 'verified' };
}

/** When the provider wrote this state, in epoch milliseconds; 0 if unknown. */
function changedAtMs({ updated_at: updated, created_at: created }: ProviderUser, rank: number): number {
  // `created_at` is not the time of an update, so an update without `updated_at` has no time.
  const instant = updated ?? (rank === 0 ? created : undefined) ?? 0;
  return typeof instant === 'number' ? instant : Date.parse(instant);
}

// Kind and content order two states of the same millisecond, so that every order of arrival gives the same result.
function revisionOf(atMs: number, rank: number, account: ProviderAccount): string {
  const digest = createHash('sha256').update(JSON.stringify(account)).digest('hex').slice(0, 16);
  return `${String(atMs).padStart(16, '0')}:${rank}:${digest}`;
}

const undated = '0'.repeat(16);
const isUndatedUpdate = (revision: string) => revision.startsWith(`${undated}:1`);
const isCreation = (revision: string) => revision.startsWith('0:', undated.length + 1);

/** Whether a state is later than the applied one. Updates without a time are applied in the order of arrival. */
function isLater(revision: string, applied: string | null): boolean {
  if (applied === null) return true;
  if (isUndatedUpdate(revision)) return revision !== applied;
  return revision > applied && !(isUndatedUpdate(applied) && isCreation(revision));
}

/** The revision to store: an update without a time keeps the one of the last dated state, for later comparisons. */
const laterRevision = (revision: string, applied: string | null) =>
  applied !== null && isUndatedUpdate(revision) && !applied.startsWith(undated) ? applied : revision;

/** The time of a revision, in epoch milliseconds; 0 if there is none. */
export const revisionTimeMs = (revision: string | null) => Number(revision?.slice(0, undated.length) ?? 0);
