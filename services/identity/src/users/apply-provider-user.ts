import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { UserDeps } from './deps.ts';
import { AccountInactive } from './errors.ts';
import { isLater, laterRevision, toAccount } from './provider-user.ts';
import { type UserWithRoles, users } from './repository.ts';
import type { ProviderUser } from './schemas.ts';
import { type ProviderAccount, upsertUser } from './upsert-user.ts';

/** `ignored`: an account without an e-mail; `stale`: older than what is known, or gone; `conflict`: another's e-mail. */
export type Outcome = 'processed' | 'ignored' | 'stale' | 'conflict';

/** Brings a user to a state that the provider describes, unless a later one is known. Orders by the provider's clock. */
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
  const latest = { ...account, providerRevision: laterRevision(account.providerRevision, applied) };
  const stored = await upsertUser(tx, deps, omitOlderNames(latest, described, known), known, cause);
  return stored ? 'processed' : 'conflict';
}

export interface AppliedState {
  outcome: Outcome;
  user: UserWithRoles | undefined;
  isNew: boolean;
}

/** The same for what the provider has just been asked about. @throws AccountInactive where the account is gone for good */
export function applyCurrentState(
  db: Db,
  deps: UserDeps,
  described: ProviderUser,
  cause: Cause,
): Promise<AppliedState> {
  const { id: identityProviderId } = described;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId);
    const isNew = (await users(tx).findByIdentity(identityProviderId)) === undefined;
    if (isNew && (await users(tx).isIdentityDeleted(identityProviderId))) throw new AccountInactive();
    const outcome = await applyProviderUser(tx, deps, described, 'updated', cause);
    return { outcome, user: await users(tx).findByIdentity(identityProviderId), isNew };
  });
}

/** Names that were changed here after the provider's state came about stay. */
function omitOlderNames(
  account: ProviderAccount,
  { updated_at: updated, created_at: created }: ProviderUser,
  known?: UserWithRoles,
) {
  const editedAt = known?.namesEditedAt;
  if (!editedAt || new Date(updated ?? created ?? 0) > editedAt) return account;
  const { firstName: _firstName, lastName: _lastName, ...rest } = account;
  return rest;
}
