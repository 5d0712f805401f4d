import type { Db } from '@lms/database/connect';
import { asc, eq, isNull } from 'drizzle-orm';
import type { EventHandler } from './event-handler.ts';
import { handleMessages } from './inbox.ts';
import { deadLetters } from './tables.ts';

/** The dead letters that were not replayed, oldest first. */
export const listDeadLetters = (db: Db) =>
  db.select().from(deadLetters).where(isNull(deadLetters.replayedAt)).orderBy(asc(deadLetters.createdAt));

/** Handles a dead letter again. If that fails, the dead letter stays unchanged. */
export async function replayDeadLetter(db: Db, handlers: EventHandler[], id: string) {
  const [letter] = await db.select().from(deadLetters).where(eq(deadLetters.id, id));
  if (!letter) throw new Error(`Dead letter ${id} not found`);
  const byType = new Map(handlers.map((handler) => [handler.type, handler]));
  const { consumer, eventId, subject, body, headers } = letter;
  const type = headers['ce-type'];
  if (!type || !byType.has(type)) throw new Error(`Dead letter ${id} has no handler: ${type}`);
  const message = { id: eventId, aggregateId: headers['ce-subject'] ?? eventId, subject, body, headers };
  await handleMessages({ db, consumer, handlers: byType }, [message]);
  await db.update(deadLetters).set({ replayedAt: new Date() }).where(eq(deadLetters.id, id));
}
