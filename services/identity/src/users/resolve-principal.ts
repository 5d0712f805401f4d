import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { maxLengths } from '@lms/contracts/text';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { readEmail } from './email.ts';
import { AccountInactive, NotSynchronised } from './errors.ts';
import { toPrincipal } from './present.ts';
import { type Person, users } from './repository.ts';
import type { Rules } from './rules.ts';
import { storeAccount } from './store-account.ts';

/**
 * Who the bearer of a verified token is, whatever their status. Unknown ones are taken in where the token proves an
 * e-mail that is nobody else's.
 * @throws NotSynchronised, AccountInactive
 */
export async function resolvePrincipal(db: Db, rules: Rules, claims: TokenClaims, cause: Cause): Promise<Principal> {
  const { identityProviderId } = claims;
  const person = await users(db).findByIdentity(identityProviderId);
  if (person?.emailVerified) return toPrincipal(person, identityProviderId);
  return toPrincipal(await takeIn(db, rules, claims, person, cause), identityProviderId);
}

async function takeIn(
  db: Db,
  rules: Rules,
  claims: TokenClaims,
  seen: Person | undefined,
  cause: Cause,
): Promise<Person> {
  const { identityProviderId, emailVerified } = claims;
  const email = emailVerified ? readEmail(claims.email) : undefined;
  if (!email) return accountOf(seen) ?? (await refuse(db, identityProviderId));
  return db.transaction(async (tx) => {
    await users(tx).lockIdentity(identityProviderId, email);
    const known = await users(tx).findByIdentity(identityProviderId);
    if (known?.emailVerified || known?.deletedAt) return known;
    if (!known && (await users(tx).hasDeparted(identityProviderId))) throw new AccountInactive();
    const stored = await storeAccount(tx, rules, toAccount(claims, email, known), known, cause);
    return stored ?? accountOf(known) ?? refuse(tx, identityProviderId);
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
