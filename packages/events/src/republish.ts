import type { Database, Db } from '@lms/database/connect';
import { and, desc, eq, gt, gte, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { JetStreamManager, StreamState } from 'nats';
import { lastCommonSequence } from './stream-position.ts';
import { eventEpochs, outbox } from './tables.ts';

/**
 * Publishes the stored events of an aggregate again. The stream drops those that it received within the last two minutes
 * as duplicates, and consumers those that they have handled.
 */
export const republish = ({ db }: Pick<Database, 'db'>, aggregateId: string): Promise<number> =>
  markUnpublished(db, eq(outbox.aggregateId, aggregateId));

/** Publishes all stored events since a time again. */
export const republishSince = ({ db }: Pick<Database, 'db'>, since: Date): Promise<number> =>
  markUnpublished(db, gte(outbox.createdAt, since));

/** Publishes the events again that the stream has lost. Returns their number. */
export async function markLost(db: Db, manager: JetStreamManager, state: StreamState): Promise<number> {
  const before = async (sequence: number) => {
    const [row] = await db
      .select({ id: outbox.id, sequence: sql<number>`${outbox.streamSequence}`.mapWith(Number) })
      .from(outbox)
      .where(and(isNotNull(outbox.streamSequence), lte(outbox.streamSequence, sequence)))
      .orderBy(desc(outbox.streamSequence))
      .limit(1);
    return row;
  };
  const last = await before(Number.MAX_SAFE_INTEGER);
  const common = await lastCommonSequence(manager, state, before);
  if (common === undefined && state.last_seq > 0) return 0;
  await db
    .update(eventEpochs)
    .set({ streamSequence: null })
    .where(gt(eventEpochs.streamSequence, common ?? 0));
  if (last && common === last.sequence) return 0;
  // Another process may have published events meanwhile, which are not lost.
  const known = or(isNull(outbox.streamSequence), lte(outbox.streamSequence, last?.sequence ?? 0));
  return markUnpublished(db, common ? and(gt(outbox.streamSequence, common), known) : known);
}

/** In one transaction: relays publish these events in their order, and after an interruption all of them are still known. */
const markUnpublished = (db: Db, where: SQL | undefined): Promise<number> =>
  db.transaction(async (tx) => {
    // Two processes could wait for each other's rows. New events can be appended.
    await tx.execute(sql`lock table ${outbox} in share update exclusive mode`);
    // These may be the events of a week.
    await tx.execute(sql`set local statement_timeout = 0`);
    const [marked] = await tx.execute<{ count: number }>(sql`
      with marked as (
        update ${outbox} set published_at = null, stream_sequence = null
        where ${and(isNotNull(outbox.publishedAt), where)} returning 1)
      select count(*)::int as count from marked`);
    return marked?.count ?? 0;
  });
