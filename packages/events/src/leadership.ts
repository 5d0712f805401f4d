import type { Db } from '@lms/database/connect';
import { sql } from 'drizzle-orm';

/** Passed to the work of a leader. */
export interface Leadership {
  /** Aborted when the process closes or the leadership is lost. */
  signal: AbortSignal;
  /** Rejects if this process is not the leader any more. */
  check: () => Promise<unknown>;
}

/**
 * Does the work if no other process of the service does it. The lock belongs to a transaction, so that it ends with the
 * session and works behind PgBouncer; between its statements the transaction holds no snapshot.
 * @returns false if another process is the leader
 */
export async function asLeader(
  db: Db,
  key: string,
  closing: AbortSignal,
  work: (leadership: Leadership) => Promise<void>,
): Promise<boolean> {
  const ended = new AbortController();
  let working: Promise<void> | undefined;
  try {
    await db.transaction(async (tx) => {
      const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as held`);
      if (lock?.held !== true) return;
      const check = () => tx.execute(sql`select 1`);
      working = work({ signal: AbortSignal.any([closing, ended.signal]), check });
      await working;
    });
  } finally {
    // A lost session ends the transaction while the work still runs.
    ended.abort();
    await working?.catch(() => undefined);
  }
  return working !== undefined;
}
