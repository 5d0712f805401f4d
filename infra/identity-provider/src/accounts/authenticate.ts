import type { Account } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { findByEmail } from './account.ts';
import { passwordMatches } from './passwords.ts';

/** The account with this e-mail (case is ignored), if the password is correct. */
export async function authenticate(store: Store, email: string, password: string): Promise<Account | undefined> {
  const account = findByEmail(store.read(), email.trim());
  if (!account || !(await passwordMatches(password, account.passwordHash))) return undefined;
  return account;
}
