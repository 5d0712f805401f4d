import { AccountInactive } from '@lms/auth/require-role';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { maxLengths } from '@lms/contracts/text';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { cut } from '@lms/service/normalize-text';
import { conflict } from '@lms/service/problems';
import { applyCurrentState, revisionTimeMs } from './apply-provider-user.ts';
import type { UserDeps } from './deps.ts';
import { isReserved, parseEmail } from './email.ts';
import { NotSynchronised } from './errors.ts';
import { toPrincipal } from './presenter.ts';
import type { ProviderClient } from './provider-client.ts';
import { type UserWithRoles, users } from './repository.ts';
import { upsertUser } from './upsert-user.ts';

/**
 * Returns the user of a verified token, whatever their status. A token with a verified e-mail that no other user has
 * creates an account, and updates the e-mail of a known account if the token says when it was issued. Any token confirms
 * a provisional account. With a provider client, the provider decides about all other subjects.
 * @throws NotSynchronised, AccountInactive, Conflict if another user has the e-mail of a known user's token, a 503 if the
 * provider is unavailable
 */
export async function resolvePrincipal(
  db: Db,
  deps: UserDeps,
  providerClient: ProviderClient | undefined,
  claims: TokenClaims,
  cause: Cause,
): Promise<Principal> {
  const { identityProviderId } = claims;
  const known = await users(db).findByIdentity(identityProviderId);
  if (known && isUpToDate(known, claims)) return toPrincipal(known, identityProviderId);
  const stored = verifiedEmailOf(claims) ? await storeVerifiedEmail(db, deps, claims, cause) : existing(known);
  if (stored.user) return toPrincipal(stored.user, identityProviderId, stored.isNew);
  if (await users(db).isIdentityDeleted(identityProviderId)) throw new AccountInactive();
  const { user, isNew } = providerClient
    ? await confirmByProvider(db, deps, providerClient, claims, cause)
    : existing(await confirmByToken(db, deps, claims, cause));
  if (!user) throw new NotSynchronised();
  return toPrincipal(user, identityProviderId, isNew);
}

interface Resolved {
  user: UserWithRoles | undefined;
  isNew: boolean;
}

/** An account that this request has not created; undefined if it is not confirmed. */
const existing = (user: UserWithRoles | undefined): Resolved => ({
  user: user?.isProvisional ? undefined : user,
  isNew: false,
});

/** Whether the token has no newer e-mail than the account, and does not verify it. */
function isUpToDate({ emailVerified, email, providerRevision }: UserWithRoles, claims: TokenClaims): boolean {
  const { issuedAt } = claims;
  const verified = verifiedEmailOf(claims);
  const isReplaceable = providerRevision === null || isReserved(email) || verified === undefined;
  if (!emailVerified && (isReplaceable || verified === email)) return false;
  if (issuedAt === undefined || verified === email) return true;
  return issuedAt * 1_000 <= revisionTimeMs(providerRevision);
}

export const verifiedEmailOf = ({ email, emailVerified }: TokenClaims) =>
  emailVerified ? parseEmail(email) : undefined;

/** Stores the token's verified e-mail. Returns no user if another one has it and this account is not confirmed. */
async function storeVerifiedEmail(db: Db, deps: UserDeps, claims: TokenClaims, cause: Cause): Promise<Resolved> {
  const { identityProviderId, issuedAt } = claims;
  const email = verifiedEmailOf(claims);
  if (!email) return existing(undefined);
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (known && (known.deletedAt || isUpToDate(known, claims))) return { user: known, isNew: false };
    if (!known && (await users(tx).isIdentityDeleted(identityProviderId))) throw new AccountInactive();
    const user = await upsertUser(tx, deps, toAccount(claims, email), known, cause);
    // Another transaction may have closed the known account, so that this one has created another.
    if (user) return { user, isNew: user.id !== known?.id };
    const confirmed = existing(known);
    if (confirmed.user && issuedAt !== undefined) throw conflict({ resource: 'user', field: 'email', value: email });
    return confirmed;
  });
}

/** Confirms the account with the provider's state; if that has no e-mail, with the token. */
async function confirmByProvider(
  db: Db,
  deps: UserDeps,
  providerClient: ProviderClient,
  claims: TokenClaims,
  cause: Cause,
): Promise<Resolved> {
  const described = await providerClient.findUser(claims.identityProviderId);
  if (!described) return existing(undefined);
  const { outcome, user, isNew } = await applyCurrentState(db, deps, described, cause);
  if (outcome === 'ignored') return existing(await confirmByToken(db, deps, claims, cause));
  return { ...existing(user), isNew };
}

/** Confirms a provisional account; its e-mail stays unverified. Not if the token's own e-mail belongs to another user. */
export async function confirmByToken(
  db: Db,
  deps: UserDeps,
  claims: TokenClaims,
  cause: Cause,
): Promise<UserWithRoles | undefined> {
  const { identityProviderId, firstName, lastName } = claims;
  const provisional = await users(db).findByIdentity(identityProviderId);
  if (!provisional || verifiedEmailOf(claims)) return undefined;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, provisional.email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (!known?.isProvisional) return known;
    const names = { firstName: truncate(firstName) ?? known.firstName, lastName: truncate(lastName) ?? known.lastName };
    const account = { identityProviderId, email: known.email, emailVerified: false, ...names };
    return upsertUser(tx, deps, account, known, cause);
  });
}

const toAccount = ({ identityProviderId, firstName, lastName }: TokenClaims, email: string) => ({
  ...{ identityProviderId, email, emailVerified: true },
  ...{ firstName: truncate(firstName), lastName: truncate(lastName) },
});

const truncate = (name: string | null) => cut(name?.toWellFormed() ?? '', maxLengths.name) || null;
