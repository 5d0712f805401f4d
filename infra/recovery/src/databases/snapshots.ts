import { relayLock } from '@lms/events/relay';
import { type Database, databases } from 'local/databases';
import postgres, { type ReservedSql } from 'postgres';

export interface Snapshots {
  /** A session with an open repeatable-read transaction. */
  of(name: Database): ReservedSql;
  close(): Promise<void>;
}

/**
 * Takes a snapshot of each database while no outbox relay publishes. So every event that a consumer has received is also in the
 * snapshot of its publisher.
 */
export async function openSnapshots(urls: Record<Database, string>): Promise<Snapshots> {
  const pools = databases.map((name) =>
    postgres(urls[name], { max: 1, connect_timeout: 10, onnotice: () => undefined }),
  );
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
  };
  try {
    const sessions = await Promise.all(pools.map((pool) => pool.reserve()));
    await Promise.all(sessions.map((session) => session`select pg_advisory_lock(${relayLock}::bigint)`));
    await Promise.all(sessions.map(begin));
    await Promise.all(sessions.map((session) => session`select pg_advisory_unlock(${relayLock}::bigint)`));
    return {
      of(name) {
        const session = sessions[databases.indexOf(name)];
        if (!session) throw new Error(`no snapshot of ${name}`);
        return session;
      },
      async close() {
        for (const session of sessions) session.release();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function begin(session: ReservedSql) {
  await session`begin isolation level repeatable read read only`;
  // The first statement takes the snapshot, not "begin".
  await session`select pg_current_snapshot()`;
}
