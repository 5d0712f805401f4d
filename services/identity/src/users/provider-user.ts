import { createHash } from 'node:crypto';
import { readEmail } from './email.ts';
import type { ProviderUser } from './schemas.ts';
import type { Account } from './store-account.ts';

/** The primary e-mail, else the first. Verified unless its verification says otherwise. */
export function primaryEmailOf({ email_addresses: all, primary_email_address_id: primary }: ProviderUser) {
  const entry = all.find(({ id }) => id !== undefined && id === primary) ?? all[0];
  const email = readEmail(entry?.email_address);
  return email && { email, emailVerified: (entry?.verification?.status ?? 'verified') === 'verified' };
}

/** The account that a provider's description speaks of; undefined where it has no e-mail. */
export function toAccount(described: ProviderUser, rank: number): (Account & { providerRevision: string }) | undefined {
  const mail = primaryEmailOf(described);
  if (!mail) return undefined;
  const { id: identityProviderId, first_name: firstName, last_name: lastName } = described;
  const account = {
    identityProviderId,
    ...mail,
    ...(firstName !== undefined && { firstName: firstName || null }),
    ...(lastName !== undefined && { lastName: lastName || null }),
  };
  return { ...account, providerRevision: revisionOf(changedAt(described), rank, account) };
}

/** When the provider last changed the account, in epoch milliseconds; 0 where it doesn't say. */
export function changedAt({ updated_at: updated, created_at: created }: ProviderUser): number {
  const instant = updated ?? created ?? 0;
  return typeof instant === 'number' ? instant : Date.parse(instant);
}

// Two states of one millisecond are put in order by kind and content, so that every order of arrival ends alike.
function revisionOf(atMs: number, rank: number, account: Account): string {
  const digest = createHash('sha256').update(JSON.stringify(account)).digest('hex').slice(0, 16);
  return `${String(atMs).padStart(16, '0')}:${rank}:${digest}`;
}

const undated = '0'.repeat(16);

/** Whether a state is later than the one applied last. Undated ones can only be taken as they come. */
export function isLater(revision: string, applied: string | null): boolean {
  if (applied === null || revision > applied) return true;
  return revision !== applied && revision.startsWith(`${undated}:1`) && applied.startsWith(undated);
}
