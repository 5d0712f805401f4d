import type { Db } from '@lms/database/connect';
import { count, isNull, sql } from 'drizzle-orm';
import { deadLetters, outbox } from './tables.ts';

// Counting more would load the database and not help an operator.
const maxCounted = 100_000;

/** The number of unpublished events, and the age of the oldest one. */
export async function readBacklog(db: Db): Promise<{ events: number; oldestSeconds: number }> {
  const [row] = await db.execute<{ events: number; oldest: number }>(sql`
    select count(*)::int as events, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
    from (
      select created_at from ${outbox} where published_at is null order by ordinal limit ${maxCounted}
    ) as unpublished`);
  return { events: row?.events ?? 0, oldestSeconds: Math.max(0, row?.oldest ?? 0) };
}

/** The number of dead letters that were not replayed, by consumer. */
export async function countDeadLetters(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ consumer: deadLetters.consumer, waiting: count() })
    .from(deadLetters)
    .where(isNull(deadLetters.replayedAt))
    .groupBy(deadLetters.consumer);
  return new Map(rows.map(({ consumer, waiting }) => [consumer, waiting]));
}
