import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { maxLengths } from '@lms/contracts/text';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/server/problems';
import { readEmail } from './email.ts';
import { AccountInactive, NotSynchronised } from './errors.ts';
import { toPrincipal } from './present.ts';
import { statedAt } from './provider-user.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';
import { storeAccount } from './store-account.ts';

/**
 * Who the bearer of a verified token is, whatever their status. Unknown ones are taken in where the token proves an
 * e-mail that is nobody else's; where it says when it was issued, known ones get its e-mail.
 * @throws NotSynchronised, AccountInactive, Conflict where a known one's token has the e-mail of somebody else
 */
export async function resolvePrincipal(db: Db, rules: Rules, claims: TokenClaims, cause: Cause): Promise<Principal> {
  const { identityProviderId } = claims;
  const person = await users(db).findByIdentity(identityProviderId);
  if (person && isSettled(person, claims)) return toPrincipal(person, identityProviderId);
  return toPrincipal(await takeIn(db, rules, claims, person, cause), identityProviderId);
}

/** Whether a token has nothing to say about an account that counts: it has a proven e-mail, and no news of it. */
function isSettled({ emailVerified, email, providerRevision }: Person, claims: TokenClaims): boolean {
  if (!emailVerified) return false;
  const { issuedAt } = claims;
  return issuedAt === undefined || provenEmail(claims) === email || issuedAt * 1_000 <= statedAt(providerRevision);
}

const provenEmail = ({ email, emailVerified }: TokenClaims) => (emailVerified ? readEmail(email) : undefined);

async function takeIn(
  db: Db,
  rules: Rules,
  claims: TokenClaims,
  seen: Person | undefined,
  cause: Cause,
): Promise<Person> {
  const { identityProviderId, issuedAt } = claims;
  const email = provenEmail(claims);
  if (!email) return accountOf(seen) ?? (await refuse(db, identityProviderId));
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (known && (known.deletedAt || isSettled(known, claims))) return known;
    if (!known && (await users(tx).hasDeparted(identityProviderId))) throw new AccountInactive();
    const stored = await storeAccount(tx, rules, toAccount(claims, email, known), known, cause);
    if (stored) return stored;
    const account = accountOf(known);
    if (account && issuedAt !== undefined) throw conflict({ resource: 'user', field: 'email', value: email });
    return account ?? refuse(tx, identityProviderId);
  });
}

/** A hint alone makes no account. */
const accountOf = (person: Person | undefined) => (person?.isProvisional ? undefined : person);

async function refuse(db: Db, identityProviderId: string): Promise<never> {
  throw (await users(db).hasDeparted(identityProviderId)) ? new AccountInactive() : new NotSynchronised();
}

// What the provider said about names before a token counts more than the token.
function toAccount({ identityProviderId, firstName, lastName }: TokenClaims, email: string, known: Person | undefined) {
  const names = { firstName: cut(firstName), lastName: cut(lastName) };
  return { identityProviderId, email, emailVerified: true, ...(accountOf(known) ? {} : names) };
}

const cut = (name: string | null) => name?.slice(0, maxLengths.name).toWellFormed() || null;
