import { createHash } from 'node:crypto';
import { parseEmail } from './email.ts';
import type { ProviderEmail, ProviderUser } from './schemas.ts';
import type { ProviderAccount } from './upsert-user.ts';

/** The primary e-mail, else the first. Verified unless its verification says otherwise. */
export function primaryEmailOf({ email_addresses: all, primary_email_address_id: primary }: ProviderUser) {
  const entries = all.map((entry): ProviderEmail => (typeof entry === 'string' ? { email_address: entry } : entry));
  const entry = entries.find(({ id }) => id !== undefined && id === primary) ?? entries[0];
  const email = parseEmail(entry?.email_address ?? entry?.email);
  return email && { email, emailVerified: (entry?.verification?.status ?? 'verified') === 'verified' };
}

/** The account that a provider's description speaks of; undefined where it has no e-mail. */
export function toAccount(
  described: ProviderUser,
  rank: number,
): (ProviderAccount & { providerRevision: string }) | undefined {
  const mail = primaryEmailOf(described);
  if (!mail) return undefined;
  const { id: identityProviderId, first_name: firstName, last_name: lastName } = described;
  const account = {
    identityProviderId,
    ...mail,
    ...(firstName !== undefined && { firstName: firstName || null }),
    ...(lastName !== undefined && { lastName: lastName || null }),
  };
  return { ...account, providerRevision: revisionOf(changedAt(described, rank), rank, account) };
}

/** When the provider brought the account to this state, in epoch milliseconds; 0 where it doesn't say. */
function changedAt({ updated_at: updated, created_at: created }: ProviderUser, rank: number): number {
  // An update is of another time than the creation, even where nothing tells of which.
  const instant = updated ?? (rank === 0 ? created : undefined) ?? 0;
  return typeof instant === 'number' ? instant : Date.parse(instant);
}

// Two states of one millisecond are put in order by kind and content, so that every order of arrival ends alike.
function revisionOf(atMs: number, rank: number, account: ProviderAccount): string {
  const digest = createHash('sha256').update(JSON.stringify(account)).digest('hex').slice(0, 16);
  return `${String(atMs).padStart(16, '0')}:${rank}:${digest}`;
}

const undated = '0'.repeat(16);
const isUndatedUpdate = (revision: string) => revision.startsWith(`${undated}:1`);
const isCreation = (revision: string) => revision.startsWith('0:', undated.length + 1);

/** Whether a state is later than the one applied last. Undated updates can only be taken as they come. */
export function isLater(revision: string, applied: string | null): boolean {
  if (applied === null) return true;
  if (isUndatedUpdate(revision)) return revision !== applied;
  return revision > applied && !(isUndatedUpdate(applied) && isCreation(revision));
}

/** What later states are measured by once one was applied: an undated one leaves the order of those with a date as it was. */
export const laterRevision = (revision: string, applied: string | null) =>
  applied !== null && isUndatedUpdate(revision) && !applied.startsWith(undated) ? applied : revision;

/** The time, in epoch milliseconds, of the provider's state that was applied last; 0 where none is known. */
export const revisionTimeMs = (applied: string | null) => Number(applied?.slice(0, undated.length) ?? 0);
