import type { Database } from '@lms/database/connect';
import { readTraceparent } from '@lms/telemetry/traceparent';
import { withSpan } from '@lms/telemetry/tracing';
import { asc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { ErrorCode, type JetStreamClient, NatsError } from 'nats';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { type Row, toBody, toHeaders } from './cloud-event.ts';
import { inbox, outbox } from './tables.ts';
import { createWakeSignal } from './wake-signal.ts';

// At most one relay per database publishes at a time: two would break the order.
export const relayLock = 4_217_061_906;
const pollMs = 250;
const streamCheckMs = 3_000;
const batchSize = 200;
// Less than idle_in_transaction_session_timeout (30 s).
const maxBatchMs = 5_000;
const cleanupIntervalMs = 3_600_000;

/**
 * Publishes the outbox to JetStream in the order of `ordinal`. A row counts as published after the stream acknowledged it;
 * if it is published again, the stream drops it by its message id.
 * Everything committed before an event was appended has a lower ordinal and is visible, so it is published first. The
 * event of a transaction that commits late is published then, because rows are selected by `published_at is null` and
 * not by a position.
 * Events are published one at a time: of several in flight, the first could fail and the second succeed. Close to the
 * server, that is still 2,000 events a second.
 */
export function startRelay(database: Database, bus: Bus, source: string, logger: Logger) {
  const { db } = database;
  const wakeSignal = createWakeSignal(bus.closing);
  const metrics = bus.metrics?.outbox(db);
  let streamCreatedAt: number | undefined;
  let streamCheckedAt = 0;
  let cleanedAt = 0;

  async function run() {
    while (!bus.closing.aborted) {
      try {
        await publishPending();
      } catch (err) {
        if (!bus.closing.aborted) logger.warn({ err }, 'outbox relay failed and will be restarted');
        await bus.pause();
      }
    }
  }

  async function publishPending() {
    await ensureStream();
    while (!bus.closing.aborted) {
      const [next] = await db.select({ id: outbox.id }).from(outbox).where(isNull(outbox.publishedAt)).limit(1);
      // Before the transaction begins, so that none stays open while NATS is down.
      if (next || Date.now() - streamCheckedAt > streamCheckMs) await ensureStream();
      if (next && (await publishBatch()) === batchSize) continue;
      await cleanUp();
      await wakeSignal.wait(pollMs);
    }
  }

  /** Creates the stream if it does not exist. If it is new, all events of the outbox are published again. */
  async function ensureStream() {
    const createdAt = await bus.ensureStream();
    streamCheckedAt = Date.now();
    if (createdAt.getTime() === streamCreatedAt) return;
    const lost = await db
      .update(outbox)
      .set({ publishedAt: null })
      .where(lt(outbox.publishedAt, createdAt))
      .returning({ id: outbox.id });
    if (lost.length > 0) logger.warn({ count: lost.length }, 'the stream is new; publishing the outbox again');
    streamCreatedAt = createdAt.getTime();
  }

  async function publishBatch(): Promise<number> {
    const { jetstream } = await bus.connected();
    const { published, failure } = await db.transaction(async (tx) => {
      const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${relayLock}::bigint) as held`);
      if (lock?.held !== true) return { published: [] };
      const rows = await tx
        .select()
        .from(outbox)
        .where(isNull(outbox.publishedAt))
        .orderBy(asc(outbox.ordinal))
        .limit(batchSize);
      const outcome = await publish(jetstream, rows);
      if (outcome.published.length > 0)
        await tx.update(outbox).set({ publishedAt: new Date() }).where(inArray(outbox.id, outcome.published));
      return outcome;
    });
    if (failure) throw failure;
    return published.length;
  }

  /** Publishes rows in order until one fails. Returns the ids of the published rows. */
  async function publish(jetstream: JetStreamClient, rows: Row[]): Promise<{ published: string[]; failure?: unknown }> {
    const startedAt = Date.now();
    const published: string[] = [];
    for (const row of rows) {
      if (bus.closing.aborted || Date.now() - startedAt > maxBatchMs) break;
      try {
        await publishEvent(jetstream, row);
        metrics?.published();
      } catch (failure) {
        metrics?.failed();
        if (!isTooLarge(failure)) return { published, failure };
        // Retrying would block all later events. It stays in the outbox, for `republish` after max_payload was raised.
        const { id: eventId, type, aggregateId } = row;
        logger.error(
          { err: failure, eventId, type, aggregateId },
          'event exceeds the max_payload of NATS and was skipped',
        );
      }
      published.push(row.id);
    }
    return { published };
  }

  async function publishEvent(jetstream: JetStreamClient, row: Row) {
    const subject = `lms.${row.type}.v1`;
    const parent = readTraceparent(row.traceparent) ?? null;
    const attributes = {
      'messaging.system': 'nats',
      'messaging.destination.name': subject,
      'messaging.message.id': row.id,
    };
    await withSpan(`publish ${subject}`, { kind: 'producer', parent, attributes }, (span) => {
      const headers = toHeaders(row, source, span?.traceparent ?? row.traceparent);
      const publish = (body: string) => jetstream.publish(subject, body, { msgID: row.id, headers });
      return publish(toBody(row)).catch((error: unknown) => {
        if (!row.changes || !isTooLarge(error)) throw error;
        // Consumers need the state only; `changes` is for the audit log.
        return publish(toBody({ ...row, changes: null }));
      });
    });
  }

  async function cleanUp() {
    if (Date.now() - cleanedAt < cleanupIntervalMs) return;
    cleanedAt = Date.now();
    await db.delete(outbox).where(lt(outbox.publishedAt, sql`now() - interval '7 days'`));
    // The stream stores events for 30 days, so older ones cannot be delivered again.
    await db.delete(inbox).where(lt(inbox.receivedAt, sql`now() - interval '31 days'`));
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

const isTooLarge = (error: unknown) => error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded;

/**
 * Publishes the stored events of an aggregate again, or all of them. The stream drops those that it received within the
 * last two minutes as duplicates.
 */
export async function republish({ db }: Database, aggregateId?: string): Promise<number> {
  const where = aggregateId === undefined ? undefined : eq(outbox.aggregateId, aggregateId);
  const rows = await db.update(outbox).set({ publishedAt: null }).where(where).returning({ id: outbox.id });
  return rows.length;
}
