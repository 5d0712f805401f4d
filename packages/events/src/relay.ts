import type { Database, Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { and, asc, isNull, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { type Published, publishEvents } from './publish-events.ts';
import { markLost } from './republish.ts';
import { beginEpochIfRestored, type PublishCurrentStates } from './restored-database.ts';
import { sweep } from './sweep.ts';
import { outbox } from './tables.ts';
import { createWakeSignal } from './wake-signal.ts';

// At most one relay per database publishes at a time: two would break the order.
export const relayLock = 4_217_061_906;
const pollMs = 250;
const streamCheckMs = 3_000;
const checkedRecentlyMs = 1_000;
const batchSize = 500;
// As JSON; in memory it is a multiple of that. An event may have 1 MiB, and three times as much with its changes.
const batchBytes = 8 * 1_024 * 1_024;
// Less than idle_in_transaction_session_timeout (30 s).
const maxBatchMs = 5_000;
const sweepIntervalMs = 3_600_000;

/** The ordinal at which a batch ends: after so many events, or the first with which they have so many bytes. */
const lastOfBatch = sql`(
  select max(ordinal) from (
    select ordinal, sum(octet_length(data::text) + coalesce(octet_length(changes::text), 0))
      over (order by ordinal rows between unbounded preceding and 1 preceding) as bytes_before
    from (select ordinal, data, changes from ${outbox} where published_at is null order by ordinal limit ${batchSize})
      as next
  ) as measured where coalesce(bytes_before, 0) < ${batchBytes})`;

const unpublished = prepared('unpublished_event', (db) =>
  db.select({ id: outbox.id }).from(outbox).where(isNull(outbox.publishedAt)).limit(1),
);

/**
 * Publishes the outbox to JetStream in the order of `ordinal`. A row counts as published after the stream acknowledged it;
 * if it is published again, the stream drops it by its message id.
 * Everything committed before an event was appended has a lower ordinal and is visible, so it is sent first. The event of
 * a transaction that commits late is published then, because rows are selected by `published_at is null` and not by a
 * position.
 */
export function startRelay(
  database: Database,
  bus: Bus,
  source: string,
  logger: Logger,
  publishCurrentStates?: PublishCurrentStates,
) {
  const { db } = database;
  const wakeSignal = createWakeSignal(bus.closing);
  let isFailing = false;
  const metrics = bus.metrics?.outbox(db, () => isFailing);
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checkedConnection: number | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function run() {
    while (!bus.closing.aborted) {
      try {
        await publishPending();
      } catch (err) {
        isFailing = true;
        if (!bus.closing.aborted) logger.warn({ err }, 'outbox relay failed and will be restarted');
        await bus.pause();
      }
    }
  }

  async function publishPending() {
    await checkStream();
    while (!bus.closing.aborted) {
      const [next] = await unpublished(db).execute();
      // Also before a transaction begins, so that none stays open while NATS is down.
      const isDue = performance.now() - checkedAt > (next ? checkedRecentlyMs : streamCheckMs);
      if (isDue || bus.connections() !== checkedConnection) await checkStream();
      const published = next ? await publishBatch() : 0;
      isFailing = false;
      if (published === batchSize) continue;
      if (performance.now() - sweptAt > sweepIntervalMs && !(await sweep(db))) sweptAt = performance.now();
      await wakeSignal.wait(pollMs);
    }
  }

  /** Creates the stream if it does not exist, and finds out whether it or the database was set back to an earlier state. */
  async function checkStream() {
    const { manager } = await bus.connected();
    checkedConnection = bus.connections();
    const lost = await markLost(db, manager, await bus.ensureStream());
    if (lost > 0) logger.warn({ count: lost }, 'the stream has lost events, which are published again');
    const restored = await beginEpochIfRestored({ db, manager, source, publishCurrentStates });
    if (restored > 0)
      logger.warn({ count: restored }, 'the database was restored to an earlier moment; began a new epoch of events');
    checkedAt = performance.now();
  }

  async function publishBatch(): Promise<number> {
    const { connection, jetstream } = await bus.connected();
    const { published, failure } = await db.transaction(async (tx) => {
      const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${relayLock}::bigint) as held`);
      if (lock?.held !== true) return { published: [] };
      const rows = await tx
        .select()
        .from(outbox)
        .where(and(isNull(outbox.publishedAt), lte(outbox.ordinal, lastOfBatch)))
        .orderBy(asc(outbox.ordinal));
      const deadline = performance.now() + maxBatchMs;
      const mayContinue = () => !bus.closing.aborted && performance.now() < deadline;
      const maxPayload = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
      const outcome = await publishEvents({ jetstream, maxPayload, source, logger, metrics }, rows, mayContinue);
      await markPublished(tx, outcome.published);
      return outcome;
    });
    if (failure) throw failure;
    return published.length;
  }

  const ended = run();
  bus.track(ended);
  return {
    /** Publishes now instead of at the next poll. */
    notify: wakeSignal.notify,
    /** Resolves when the relay has stopped after the bus was closed. */
    ended,
  };
}

async function markPublished(tx: Db, published: Published[]) {
  if (published.length === 0) return;
  await tx.execute(sql`
    update ${outbox} set published_at = now(), stream_sequence = published.sequence
    from jsonb_to_recordset(${JSON.stringify(published)}::jsonb) as published(id text, sequence bigint)
    where ${outbox}.id = published.id`);
}
