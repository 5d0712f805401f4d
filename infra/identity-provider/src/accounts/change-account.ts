import type { Account } from '../state/state.ts';
import { type Accounts, assertEmailFree, newId } from './account.ts';
import { UnknownAccount } from './errors.ts';
import { userUpdated } from './events.ts';
import { hashPassword } from './passwords.ts';
import type { ChangeUser } from './schemas.ts';

/** @throws UnknownAccount, EmailTaken */
export async function changeAccount(
  { store, sendWebhooks }: Accounts,
  id: string,
  given: ChangeUser,
): Promise<Account> {
  const passwordHash = given.password === undefined ? undefined : await hashPassword(given.password);
  return store.update((state) => {
    const account = state.accounts.find((candidate) => candidate.id === id);
    if (!account) throw new UnknownAccount();
    const email = given.email ?? account.email;
    assertEmailFree(state, email, id);
    const changed: Account = {
      ...account,
      email,
      emailId: email === account.email ? account.emailId : newId('idn'),
      emailVerified: given.emailVerified ?? account.emailVerified,
      firstName: given.firstName === undefined ? account.firstName : given.firstName,
      lastName: given.lastName === undefined ? account.lastName : given.lastName,
      passwordHash: passwordHash ?? account.passwordHash,
      updatedAt: Math.max(Date.now(), account.updatedAt + 1),
    };
    const accounts = state.accounts.map((candidate) => (candidate.id === id ? changed : candidate));
    const deliveries = sendWebhooks ? [...state.deliveries, userUpdated(changed)] : state.deliveries;
    return [{ ...state, accounts, deliveries }, changed];
  });
}
