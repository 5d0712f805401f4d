import type { Account } from '../state/state.ts';
import { type Accounts, assertEmailFree, makeAccount, type NewAccount } from './account.ts';
import { userCreated } from './events.ts';

/** @throws EmailTaken */
export async function createAccount({ store, announce }: Accounts, given: NewAccount): Promise<Account> {
  assertEmailFree(store.read(), given.email);
  const account = await makeAccount(given);
  return store.update((state) => {
    assertEmailFree(state, account.email);
    const deliveries = announce ? [...state.deliveries, userCreated(account)] : state.deliveries;
    return [{ ...state, accounts: [...state.accounts, account], deliveries }, account];
  });
}
