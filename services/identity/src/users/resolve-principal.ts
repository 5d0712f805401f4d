import { AccountInactive } from '@lms/auth/require-role';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { maxLengths } from '@lms/contracts/text';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { applyCurrentState } from './apply-provider-user.ts';
import type { AskProvider } from './ask-provider.ts';
import { isEmailFromHint } from './claim-email.ts';
import { readEmail } from './email.ts';
import { NotSynchronised } from './errors.ts';
import { toPrincipal } from './present.ts';
import { statedAt } from './provider-user.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';
import { storeAccount } from './store-account.ts';

/**
 * The user that a verified token belongs to, whatever their status. A token that proves an e-mail which no other user holds
 * makes an account; where it says when it was issued, known accounts get its e-mail. Any token makes an announced account
 * count. Where the provider can be asked, it is asked about all other subjects.
 * @throws NotSynchronised, AccountInactive, Conflict where a known user's token has the e-mail of another user, a 503 where
 * the provider is out of reach
 */
export async function resolvePrincipal(
  db: Db,
  rules: Rules,
  ask: AskProvider | undefined,
  claims: TokenClaims,
  cause: Cause,
): Promise<Principal> {
  const { identityProviderId } = claims;
  const seen = await users(db).findByIdentity(identityProviderId);
  if (seen && isSettled(seen, claims)) return toPrincipal(seen, identityProviderId);
  const person = provenEmail(claims) ? await storeProven(db, rules, claims, cause) : accountOf(seen);
  if (person) return toPrincipal(person, identityProviderId);
  if (await users(db).hasDeparted(identityProviderId)) throw new AccountInactive();
  const confirmed = ask
    ? await confirmByProvider(db, rules, ask, claims, cause)
    : await confirmByToken(db, rules, claims, cause);
  if (!confirmed) throw new NotSynchronised();
  return toPrincipal(confirmed, identityProviderId);
}

/** Whether a token has nothing to say about an account that counts: it has a proven e-mail, and no news of it. */
function isSettled({ emailVerified, email, providerRevision }: Person, claims: TokenClaims): boolean {
  if (!emailVerified) return false;
  const { issuedAt } = claims;
  return issuedAt === undefined || provenEmail(claims) === email || issuedAt * 1_000 <= statedAt(providerRevision);
}

const provenEmail = ({ email, emailVerified }: TokenClaims) => (emailVerified ? readEmail(email) : undefined);

/** Stores the e-mail that a token proves; undefined where it is another's and the bearer has no account that counts. */
async function storeProven(db: Db, rules: Rules, claims: TokenClaims, cause: Cause): Promise<Person | undefined> {
  const { identityProviderId, issuedAt } = claims;
  const email = provenEmail(claims);
  if (!email) return undefined;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (known && (known.deletedAt || isSettled(known, claims))) return known;
    if (!known && (await users(tx).hasDeparted(identityProviderId))) throw new AccountInactive();
    const stored = await storeAccount(tx, rules, toAccount(claims, email, known), known, cause);
    if (stored) return stored;
    const account = accountOf(known);
    if (account && issuedAt !== undefined) throw conflict({ resource: 'user', field: 'email', value: email });
    return account;
  });
}

/** Makes an announced account count by the provider's word; where the provider has no e-mail for it, by the token's. */
async function confirmByProvider(db: Db, rules: Rules, ask: AskProvider, claims: TokenClaims, cause: Cause) {
  const described = await ask(claims.identityProviderId);
  if (!described) return undefined;
  const { outcome, person } = await applyCurrentState(db, rules, described, cause);
  return outcome === 'ignored' ? confirmByToken(db, rules, claims, cause) : accountOf(person);
}

/** Makes an announced account count, its e-mail as unverified as before. Not where the token's own e-mail is another's. */
async function confirmByToken(db: Db, rules: Rules, claims: TokenClaims, cause: Cause): Promise<Person | undefined> {
  const { identityProviderId, firstName, lastName } = claims;
  const announced = await users(db).findByIdentity(identityProviderId);
  if (!announced || provenEmail(claims)) return undefined;
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, announced.email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (!known?.isProvisional) return known;
    const names = { firstName: cut(firstName) ?? known.firstName, lastName: cut(lastName) ?? known.lastName };
    const account = { identityProviderId, email: known.email, emailVerified: false, ...names };
    return storeAccount(tx, rules, account, known, cause);
  });
}

/** An announced account counts once it is confirmed. */
const accountOf = (person: Person | undefined) => (person?.isProvisional ? undefined : person);

// Names that the provider gave before a token, or that were changed here, count more than the token's.
function toAccount({ identityProviderId, firstName, lastName }: TokenClaims, email: string, known: Person | undefined) {
  const names = { firstName: cut(firstName), lastName: cut(lastName) };
  const isNamed = known && (!isEmailFromHint(known) || known.namesEditedAt !== null);
  return { identityProviderId, email, emailVerified: true, ...(isNamed ? {} : names) };
}

const cut = (name: string | null) => name?.slice(0, maxLengths.name).toWellFormed() || null;
