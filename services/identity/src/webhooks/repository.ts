import type { Db } from '@lms/database/connect';
import { inbox } from '@lms/events/tables';
import { and, eq } from 'drizzle-orm';

const consumer = 'webhook';

/** The messages that were dealt with. */
export const receivedMessages = (db: Db) => ({
  /** False where the message was dealt with before; waits for whoever deals with it right now. */
  async insert(eventId: string): Promise<boolean> {
    const rows = await db.insert(inbox).values({ consumer, eventId }).onConflictDoNothing().returning();
    return rows.length > 0;
  },
  delete: (eventId: string) => db.delete(inbox).where(and(eq(inbox.consumer, consumer), eq(inbox.eventId, eventId))),
});
