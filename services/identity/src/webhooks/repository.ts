import type { Db } from '@lms/database/connect';
import { inbox } from '@lms/events/tables';
import { and, eq } from 'drizzle-orm';

const consumer = 'webhook';

/** The ids of processed messages, in the inbox. */
export const receivedMessages = (db: Db) => ({
  /** Returns false if the message has been processed. Waits for a concurrent transaction that processes it. */
  async insert(eventId: string): Promise<boolean> {
    const rows = await db.insert(inbox).values({ consumer, eventId }).onConflictDoNothing().returning();
    return rows.length > 0;
  },
  delete: (eventId: string) => db.delete(inbox).where(and(eq(inbox.consumer, consumer), eq(inbox.eventId, eventId))),
});
