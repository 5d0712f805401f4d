import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { maxLengths } from '@lms/contracts/text';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { applyCurrentState } from './apply-provider-user.ts';
import type { UserDeps } from './deps.ts';
import { parseEmail } from './email.ts';
import { AccountInactive, NotSynchronised } from './errors.ts';
import { toPrincipal } from './presenter.ts';
import type { ProviderClient } from './provider-client.ts';
import { revisionTimeMs } from './provider-user.ts';
import { isEmailFromHint } from './release-email.ts';
import { type UserWithRoles, users } from './repository.ts';
import { upsertUser } from './upsert-user.ts';

/**
 * The user that a verified token belongs to, whatever their status. A token that proves an e-mail which no other user holds
 * makes an account; where it says when it was issued, known accounts get its e-mail. Any token makes an announced account
 * count. Where the provider can be asked, it is asked about all other subjects.
 * @throws NotSynchronised, AccountInactive, Conflict where a known user's token has the e-mail of another user, a 503 where
 * the provider is out of reach
 */
export async function resolvePrincipal(
  db: Db,
  deps: UserDeps,
  ask: ProviderClient | undefined,
  claims: TokenClaims,
  cause: Cause,
): Promise<Principal> {
  const { identityProviderId } = claims;
  const seen = await users(db).findByIdentity(identityProviderId);
  if (seen && isUpToDate(seen, claims)) return toPrincipal(seen, identityProviderId);
  const user = verifiedEmailOf(claims) ? await storeVerifiedEmail(db, deps, claims, cause) : confirmedOnly(seen);
  if (user) return toPrincipal(user, identityProviderId);
  if (await users(db).isIdentityDeleted(identityProviderId)) throw new AccountInactive();
  const confirmed = ask
    ? await confirmByProvider(db, deps, ask, claims, cause)
    : await confirmByToken(db, deps, claims, cause);
  if (!confirmed) throw new NotSynchronised();
  return toPrincipal(confirmed, identityProviderId);
}

/** Whether a token has nothing to say about an account that counts: it has a proven e-mail, and no news of it. */
function isUpToDate({ emailVerified, email, providerRevision }: UserWithRoles, claims: TokenClaims): boolean {
  if (!emailVerified) return false;
  const { issuedAt } = claims;
  return (
    issuedAt === undefined || verifiedEmailOf(claims) === email || issuedAt * 1_000 <= revisionTimeMs(providerRevision)
  );
}

const verifiedEmailOf = ({ email, emailVerified }: TokenClaims) => (emailVerified ? parseEmail(email) : undefined);

/** Stores the e-mail that a token proves; undefined where it is another's and the bearer has no account that counts. */
async function storeVerifiedEmail(
  db: Db,
  deps: UserDeps,
  claims: TokenClaims,
  cause: Cause,
): Promise<UserWithRoles | undefined> {
  const { identityProviderId, issuedAt } = claims;
  const email = verifiedEmailOf(claims);
  if (!email) return undefined;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (known && (known.deletedAt || isUpToDate(known, claims))) return known;
    if (!known && (await users(tx).isIdentityDeleted(identityProviderId))) throw new AccountInactive();
    const stored = await upsertUser(tx, deps, toAccount(claims, email, known), known, cause);
    if (stored) return stored;
    const account = confirmedOnly(known);
    if (account && issuedAt !== undefined) throw conflict({ resource: 'user', field: 'email', value: email });
    return account;
  });
}

/** Makes an announced account count by the provider's word; where the provider has no e-mail for it, by the token's. */
async function confirmByProvider(db: Db, deps: UserDeps, ask: ProviderClient, claims: TokenClaims, cause: Cause) {
  const described = await ask(claims.identityProviderId);
  if (!described) return undefined;
  const { outcome, user } = await applyCurrentState(db, deps, described, cause);
  return outcome === 'ignored' ? confirmByToken(db, deps, claims, cause) : confirmedOnly(user);
}

/** Makes an announced account count, its e-mail as unverified as before. Not where the token's own e-mail is another's. */
async function confirmByToken(
  db: Db,
  deps: UserDeps,
  claims: TokenClaims,
  cause: Cause,
): Promise<UserWithRoles | undefined> {
  const { identityProviderId, firstName, lastName } = claims;
  const announced = await users(db).findByIdentity(identityProviderId);
  if (!announced || verifiedEmailOf(claims)) return undefined;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, announced.email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (!known?.isProvisional) return known;
    const names = { firstName: truncate(firstName) ?? known.firstName, lastName: truncate(lastName) ?? known.lastName };
    const account = { identityProviderId, email: known.email, emailVerified: false, ...names };
    return upsertUser(tx, deps, account, known, cause);
  });
}

/** An announced account counts once it is confirmed. */
const confirmedOnly = (user: UserWithRoles | undefined) => (user?.isProvisional ? undefined : user);

// Names that the provider gave before a token, or that were changed here, count more than the token's.
function toAccount(
  { identityProviderId, firstName, lastName }: TokenClaims,
  email: string,
  known: UserWithRoles | undefined,
) {
  const names = { firstName: truncate(firstName), lastName: truncate(lastName) };
  const isNamed = known && (!isEmailFromHint(known) || known.namesEditedAt !== null);
  return { identityProviderId, email, emailVerified: true, ...(isNamed ? {} : names) };
}

const truncate = (name: string | null) => name?.slice(0, maxLengths.name).toWellFormed() || null;
