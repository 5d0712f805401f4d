import type { Db } from '@lms/database/connect';
import { lt, sql } from 'drizzle-orm';
import { deleteOldErasures } from './erasures.ts';
import { deadLetters, inbox, outbox } from './tables.ts';

const rowsPerStatement = 1_000;

/**
 * Deletes a limited number of old rows: those published more than seven days ago, and those received, or replayed as dead
 * letters, more than 31 days ago. The stream stores events for 30 days, so older ones cannot be delivered again. The last
 * published event stays, because it says how far this database has come in the stream.
 * @returns true if there may be more
 */
export async function sweep(db: Db): Promise<boolean> {
  await deleteOldErasures(db);
  await db.delete(deadLetters).where(lt(deadLetters.replayedAt, sql`now() - interval '31 days'`));
  const published = await db.execute(sql`
    delete from ${outbox} where id in (
      select id from ${outbox}
      where published_at < now() - interval '7 days'
        and stream_sequence is distinct from (select max(stream_sequence) from ${outbox})
      order by published_at limit ${rowsPerStatement}::integer)
    returning id`);
  const received = await db.execute(sql`
    delete from ${inbox} where (consumer, event_id) in (
      select consumer, event_id from ${inbox}
      where received_at < now() - interval '31 days' order by received_at limit ${rowsPerStatement}::integer)
    returning event_id`);
  return Math.max(published.length, received.length) === rowsPerStatement;
}
