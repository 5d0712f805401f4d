import type { Accounts } from './account.ts';
import { UnknownAccount } from './errors.ts';
import { userDeleted } from './events.ts';

/** @throws UnknownAccount */
export function deleteAccount({ store, sendWebhooks }: Accounts, id: string): Promise<void> {
  return store.update((state) => {
    const account = state.accounts.find((candidate) => candidate.id === id);
    if (!account) throw new UnknownAccount();
    const accounts = state.accounts.filter((candidate) => candidate.id !== id);
    const deletedAt = Math.max(Date.now(), account.updatedAt + 1);
    const deliveries = sendWebhooks ? [...state.deliveries, userDeleted(id, deletedAt)] : state.deliveries;
    return [{ ...state, accounts, deliveries }, undefined];
  });
}
