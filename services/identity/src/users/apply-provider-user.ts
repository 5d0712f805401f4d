import { AccountInactive } from '@lms/auth/require-role';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { isLater, latestOf, toAccount } from './provider-user.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';
import type { ProviderUser } from './schemas.ts';
import { type Account, storeAccount } from './store-account.ts';

/** `ignored`: an account without an e-mail; `stale`: older than what is known, or gone; `conflict`: another's e-mail. */
export type Outcome = 'processed' | 'ignored' | 'stale' | 'conflict';

/** Brings a user to a state that the provider describes, unless a later one is known. Orders by the provider's clock. */
export async function applyProviderUser(
  tx: Db,
  rules: Rules,
  described: ProviderUser,
  kind: 'created' | 'updated',
  cause: Cause,
): Promise<Outcome> {
  const account = toAccount(described, kind === 'created' ? 0 : 1);
  if (!account) return 'ignored';
  await users(tx).lockIdentity(account.identityProviderId, account.email);
  if (await users(tx).hasDeparted(account.identityProviderId)) return 'stale';
  const known = await users(tx).findByIdentity(account.identityProviderId);
  const applied = known?.providerRevision ?? null;
  if (!isLater(account.providerRevision, applied)) return 'stale';
  const latest = { ...account, providerRevision: latestOf(account.providerRevision, applied) };
  const stored = await storeAccount(tx, rules, keepOwnNames(latest, described, known), known, cause);
  return stored ? 'processed' : 'conflict';
}

export interface Vouched {
  outcome: Outcome;
  person: Person | undefined;
  isNew: boolean;
}

/** The same for what the provider has just been asked about. @throws AccountInactive where the account is gone for good */
export function applyCurrentState(db: Db, rules: Rules, described: ProviderUser, cause: Cause): Promise<Vouched> {
  const { id: identityProviderId } = described;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId);
    const isNew = (await users(tx).findByIdentity(identityProviderId)) === undefined;
    if (isNew && (await users(tx).hasDeparted(identityProviderId))) throw new AccountInactive();
    const outcome = await applyProviderUser(tx, rules, described, 'updated', cause);
    return { outcome, person: await users(tx).findByIdentity(identityProviderId), isNew };
  });
}

/** Names that were changed here after the provider's state came about stay. */
function keepOwnNames(account: Account, { updated_at: updated, created_at: created }: ProviderUser, known?: Person) {
  const editedAt = known?.namesEditedAt;
  if (!editedAt || new Date(updated ?? created ?? 0) > editedAt) return account;
  const { firstName: _firstName, lastName: _lastName, ...rest } = account;
  return rest;
}
