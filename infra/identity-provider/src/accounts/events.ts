import type { Account, Delivery } from '../state/state.ts';
import { newId } from './account.ts';
import { toWebhookUser } from './schemas.ts';

export const userCreated = (account: Account): Delivery =>
  createDelivery('user.created', account.id, toWebhookUser(account));

export const userUpdated = (account: Account): Delivery =>
  createDelivery('user.updated', account.id, toWebhookUser(account));

export const userDeleted = (id: string, deletedAt: number): Delivery =>
  createDelivery('user.deleted', id, { id, deleted: true, updated_at: deletedAt });

function createDelivery(type: string, userId: string, data: object): Delivery {
  return { id: newId('msg'), userId, type, body: JSON.stringify({ type, data }) };
}
