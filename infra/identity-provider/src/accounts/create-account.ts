import type { Account } from '../state/state.ts';
import { type Accounts, assertEmailFree, buildAccount, type NewAccount } from './account.ts';
import { userCreated } from './events.ts';

/** @throws EmailTaken */
export async function createAccount({ store, sendWebhooks }: Accounts, given: NewAccount): Promise<Account> {
  assertEmailFree(store.read(), given.email);
  const account = await buildAccount(given);
  return store.update((state) => {
    assertEmailFree(state, account.email);
    const deliveries = sendWebhooks ? [...state.deliveries, userCreated(account)] : state.deliveries;
    return [{ ...state, accounts: [...state.accounts, account], deliveries }, account];
  });
}
