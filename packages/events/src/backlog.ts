import type { Db } from '@lms/database/connect';
import { count, isNull, sql } from 'drizzle-orm';
import { deadLetters, outbox } from './tables.ts';

// Past this an operator knows enough, and counting on would cost the database more than it tells.
const maxCounted = 100_000;

/** What is committed and untold: how many events, and how long the first of them has waited. */
export async function readBacklog(db: Db): Promise<{ events: number; oldestSeconds: number }> {
  const [row] = await db.execute<{ events: number; oldest: number }>(sql`
    select count(*)::int as events, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
    from (
      select created_at from ${outbox} where published_at is null order by ordinal limit ${maxCounted}
    ) as untold`);
  return { events: row?.events ?? 0, oldestSeconds: Math.max(0, row?.oldest ?? 0) };
}

/** How many events each consumer has set aside and nobody has replayed. */
export async function countDeadLetters(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ consumer: deadLetters.consumer, waiting: count() })
    .from(deadLetters)
    .where(isNull(deadLetters.replayedAt))
    .groupBy(deadLetters.consumer);
  return new Map(rows.map(({ consumer, waiting }) => [consumer, waiting]));
}
