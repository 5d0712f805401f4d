import type { Db } from '@lms/database/connect';
import { receivedMessages } from './repository.ts';
import type { WebhookStatus } from './schemas.ts';

/**
 * Processes a message once: its id and its effect are stored in the same transaction. After a conflict the id is not
 * stored, so that the provider can retry once the e-mail is free.
 */
export function receiveWebhook(
  db: Db,
  messageId: string,
  handle: (tx: Db) => Promise<WebhookStatus>,
): Promise<WebhookStatus> {
  return db.transaction(async (tx) => {
    if (!(await receivedMessages(tx).insert(messageId))) return 'duplicate';
    const status = await handle(tx);
    if (status === 'conflict') await receivedMessages(tx).delete(messageId);
    return status;
  });
}
