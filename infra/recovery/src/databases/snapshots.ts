import { relayLock } from '@lms/events/relay';
import { type Database, databases } from 'local/databases';
import postgres, { type ReservedSql } from 'postgres';

export interface Snapshots {
  /** A session in a transaction that goes on seeing its database as it was. */
  of(name: Database): ReservedSql;
  close(): Promise<void>;
}

/**
 * Four views of one moment. While they are opened no relay tells anything: whatever a consumer has heard of by then is
 * also in the view of the database that told it, so that after a restore nobody knows more than the source of the news.
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
  // The view is taken by the first statement, not by "begin".
  await session`select pg_current_snapshot()`;
}
