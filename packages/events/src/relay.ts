import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@lms/database/connect';
import { and, asc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { headers } from 'nats';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { outbox } from './tables.ts';

// One relay per database, whichever process has it: two would break the order.
const relayLock = 4_217_061_906;
const pollMs = 250;
const batchSize = 200;
const keepDays = 7;
const sweepMs = 3_600_000;

type Row = typeof outbox.$inferSelect;

/**
 * Publishes the outbox to JetStream in commit order, exactly as often as it takes: a row counts as told once the
 * stream has acknowledged it, and the event's id lets the stream drop a repetition.
 */
export function startRelay(database: Database, bus: Bus, source: string, logger: Logger) {
  let wake = new AbortController();
  let sweptAt = 0;
  const running = run();

  async function run() {
    while (!bus.closing.aborted) {
      const session = await database.sql.reserve().catch(() => undefined);
      if (!session) {
        await bus.pause();
        continue;
      }
      try {
        const [row] = await session`select pg_try_advisory_lock(${relayLock}) as held`;
        if (row?.held === true) await relayWhileHeld(async () => void (await session`select 1`));
        else await bus.pause();
      } catch (err) {
        if (!bus.closing.aborted) logger.warn({ err }, 'the relay starts over');
        await bus.pause();
      } finally {
        await session`select pg_advisory_unlock(${relayLock})`.catch(() => undefined);
        session.release();
      }
    }
  }

  async function relayWhileHeld(assertLockAlive: () => Promise<void>) {
    await bus.ensureStream();
    while (!bus.closing.aborted) {
      wake = new AbortController();
      await assertLockAlive();
      const published = await publishBatch();
      if (published === batchSize) continue;
      await sweep();
      await sleep(pollMs, undefined, { signal: AbortSignal.any([wake.signal, bus.closing]) }).catch(() => undefined);
    }
  }

  async function publishBatch(): Promise<number> {
    const rows = await database.db
      .select()
      .from(outbox)
      .where(and(isNull(outbox.publishedAt), sql`${outbox.xid} < pg_snapshot_xmin(pg_current_snapshot())`))
      .orderBy(asc(outbox.xid), asc(outbox.ordinal))
      .limit(batchSize);
    const { jetstream } = await bus.connected();
    const told: string[] = [];
    try {
      for (const row of rows) {
        await jetstream.publish(`lms.${row.type}.v1`, bodyOf(row), { msgID: row.id, headers: headersOf(row, source) });
        told.push(row.id);
      }
    } finally {
      if (told.length > 0)
        await database.db.update(outbox).set({ publishedAt: new Date() }).where(inArray(outbox.id, told));
    }
    return told.length;
  }

  async function sweep() {
    if (Date.now() - sweptAt < sweepMs) return;
    sweptAt = Date.now();
    await database.db.delete(outbox).where(lt(outbox.publishedAt, sql`now() - make_interval(days => ${keepDays})`));
  }

  return {
    /** Looks at once, instead of at the next poll. */
    nudge: () => wake.abort(),
    /** Resolves when the relay has ended, after the bus was closed. */
    ended: running,
  };
}

/** Has the events of an aggregate (or all that are kept) published once more. */
export async function republish({ db }: Database, aggregateId?: string): Promise<number> {
  const where = aggregateId === undefined ? undefined : eq(outbox.aggregateId, aggregateId);
  const rows = await db.update(outbox).set({ publishedAt: null }).where(where).returning({ id: outbox.id });
  return rows.length;
}

function bodyOf({ data, version, changes }: Row): string {
  return JSON.stringify({ ...Object(data), version, ...(changes && { changes }) });
}

/** CloudEvents 1.0, binary mode. */
function headersOf(row: Row, source: string) {
  const entries = {
    'ce-specversion': '1.0',
    'ce-id': row.id,
    'ce-type': row.type,
    'ce-source': source,
    'ce-subject': row.aggregateId,
    'ce-time': row.createdAt.toISOString(),
    'content-type': 'application/json',
    'ce-actorid': row.actorId,
    'ce-requestid': row.requestId,
    traceparent: row.traceparent,
  };
  const made = headers();
  for (const [name, value] of Object.entries(entries)) if (value) made.set(name, value);
  return made;
}
