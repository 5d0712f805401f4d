import type { Account, Delivery } from '../state/state.ts';
import { newId } from './account.ts';
import { describeUser } from './schemas.ts';

export const userCreated = (account: Account): Delivery => deliver('user.created', account.id, describeUser(account));

export const userUpdated = (account: Account): Delivery => deliver('user.updated', account.id, describeUser(account));

export const userDeleted = (id: string, deletedAt: number): Delivery =>
  deliver('user.deleted', id, { id, deleted: true, updated_at: deletedAt });

function deliver(type: string, userId: string, data: object): Delivery {
  return { id: newId('msg'), userId, type, body: JSON.stringify({ type, data }) };
}
