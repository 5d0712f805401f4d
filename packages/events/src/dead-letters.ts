import type { Db } from '@lms/database/connect';
import { asc, eq, isNull } from 'drizzle-orm';
import { type EventHandler, handleOnce } from './consume.ts';
import { deadLetters } from './tables.ts';

/** What waits for someone's decision, oldest first. */
export const listDeadLetters = (db: Db) =>
  db.select().from(deadLetters).where(isNull(deadLetters.replayedAt)).orderBy(asc(deadLetters.createdAt));

/** Deals with a dead letter once more; it stays where it is when that fails again. */
export async function replayDeadLetter(db: Db, listeners: EventHandler[], id: string) {
  const [letter] = await db.select().from(deadLetters).where(eq(deadLetters.id, id));
  if (!letter) throw new Error(`There is no dead letter ${id}`);
  const byType = new Map(listeners.map((listener) => [listener.type, listener]));
  const type = letter.headers['ce-type'];
  if (!type || !byType.has(type)) throw new Error(`Nobody listens to ${type}, which dead letter ${id} is about`);
  await handleOnce(db, letter.consumer, byType, {
    id: letter.eventId,
    subject: letter.subject,
    body: letter.body,
    headers: letter.headers,
  });
  await db.update(deadLetters).set({ replayedAt: new Date() }).where(eq(deadLetters.id, id));
}
