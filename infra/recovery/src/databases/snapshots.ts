import { relayLock } from '@lms/events/relay';
import { type Database, forEachDatabase } from 'local/databases';
import postgres, { type ReservedSql, type Sql } from 'postgres';

/**
 * Takes a snapshot of each database while no outbox relay publishes. So every event that a consumer has received is also in the
 * snapshot of its publisher. Each is a session with an open repeatable-read transaction until the work is done.
 */
export async function withSnapshots<T>(
  urls: Record<Database, string>,
  work: (snapshots: Record<Database, ReservedSql>) => Promise<T>,
): Promise<T> {
  const pools: Sql[] = [];
  const sessions: ReservedSql[] = [];
  try {
    const snapshots = await forEachDatabase(async (name) => {
      const pool = postgres(urls[name], { max: 1, connect_timeout: 10, onnotice: () => undefined });
      pools.push(pool);
      const session = await pool.reserve();
      sessions.push(session);
      return session;
    });
    await Promise.all(sessions.map((session) => session`select pg_advisory_lock(${relayLock}::bigint)`));
    await Promise.all(sessions.map(begin));
    await Promise.all(sessions.map((session) => session`select pg_advisory_unlock(${relayLock}::bigint)`));
    return await work(snapshots);
  } finally {
    for (const session of sessions) session.release();
    await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
  }
}

async function begin(session: ReservedSql) {
  await session`begin isolation level repeatable read read only`;
  // The first statement takes the snapshot, not "begin".
  await session`select pg_current_snapshot()`;
}
