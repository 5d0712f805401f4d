import type { Db } from '@lms/database/connect';
import { receivedMessages } from './repository.ts';
import type { WebhookStatus } from './schemas.ts';

/**
 * Deals with a message once: the note of it and its effect share a transaction. A conflict is not noted, so that the
 * provider may send it again once the e-mail is free.
 */
export function receiveWebhook(
  db: Db,
  messageId: string,
  effect: (tx: Db) => Promise<WebhookStatus>,
): Promise<WebhookStatus> {
  return db.transaction(async (tx) => {
    if (!(await receivedMessages(tx).insert(messageId))) return 'duplicate';
    const status = await effect(tx);
    if (status === 'conflict') await receivedMessages(tx).delete(messageId);
    return status;
  });
}
