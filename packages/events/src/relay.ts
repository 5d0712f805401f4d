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

// One relay per database at a time, whichever process has it: two would break the order.
export const relayLock = 4_217_061_906;
const pollMs = 250;
const streamCheckMs = 3_000;
const batchSize = 200;
// Well within the 30 s after which Postgres ends a session that idles in a transaction.
const longestBatchMs = 5_000;
const sweepMs = 3_600_000;

/**
 * Publishes the outbox to JetStream in the order of its ordinals, exactly as often as it takes: a row counts as told once
 * the stream has acknowledged it, and the event's id lets the stream drop a repetition.
 * Whatever had been committed when an event was appended has a lower ordinal and is visible before it, so it is told
 * before it; a transaction that commits late is told then, since rows are found by being untold, not by a position.
 * One at a time, because of a window of several the first could get lost and the second kept; next to the server that
 * still makes 2,000 a second.
 */
export function startRelay(database: Database, bus: Bus, source: string, logger: Logger) {
  const { db } = database;
  const wakeSignal = createWakeSignal(bus.closing);
  const measures = bus.metrics?.outbox(db);
  let streamCreatedAt: number | undefined;
  let streamSeenAt = 0;
  let sweptAt = 0;

  async function run() {
    while (!bus.closing.aborted) {
      try {
        await publishPending();
      } catch (err) {
        if (!bus.closing.aborted) logger.warn({ err }, 'the relay starts over');
        await bus.pause();
      }
    }
  }

  async function publishPending() {
    await ensureStream();
    while (!bus.closing.aborted) {
      const [next] = await db.select({ id: outbox.id }).from(outbox).where(isNull(outbox.publishedAt)).limit(1);
      // Asked before the transaction begins, so that nothing is held open while NATS is away.
      if (next || Date.now() - streamSeenAt > streamCheckMs) await ensureStream();
      if (next && (await publishBatch()) === batchSize) continue;
      await sweep();
      await wakeSignal.wait(pollMs);
    }
  }

  /** Makes the stream if need be, and has told again what an earlier stream has taken with it. */
  async function ensureStream() {
    const createdAt = await bus.ensureStream();
    streamSeenAt = Date.now();
    if (createdAt.getTime() === streamCreatedAt) return;
    const lost = await db
      .update(outbox)
      .set({ publishedAt: null })
      .where(lt(outbox.publishedAt, createdAt))
      .returning({ id: outbox.id });
    if (lost.length > 0) logger.warn({ count: lost.length }, 'telling a new stream what the former one knew');
    streamCreatedAt = createdAt.getTime();
  }

  async function publishBatch(): Promise<number> {
    const { jetstream } = await bus.connected();
    const { told: published, failure } = await db.transaction(async (tx) => {
      const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${relayLock}::bigint) as held`);
      if (lock?.held !== true) return { told: [] };
      const rows = await tx
        .select()
        .from(outbox)
        .where(isNull(outbox.publishedAt))
        .orderBy(asc(outbox.ordinal))
        .limit(batchSize);
      const outcome = await publish(jetstream, rows);
      if (outcome.told.length > 0)
        await tx.update(outbox).set({ publishedAt: new Date() }).where(inArray(outbox.id, outcome.told));
      return outcome;
    });
    if (failure) throw failure;
    return published.length;
  }

  /** Publishes until one fails, so that what was told is always the beginning of the batch. */
  async function publish(jetstream: JetStreamClient, rows: Row[]): Promise<{ told: string[]; failure?: unknown }> {
    const startedAt = Date.now();
    const told: string[] = [];
    for (const row of rows) {
      if (bus.closing.aborted || Date.now() - startedAt > longestBatchMs) break;
      try {
        await publishEvent(jetstream, row);
        measures?.published();
      } catch (failure) {
        measures?.failed();
        if (!isTooLarge(failure)) return { told, failure };
        // It would hold up all others for ever. It stays in the outbox, for `republish` once the server takes more.
        const { id: eventId, type, aggregateId } = row;
        logger.error({ err: failure, eventId, type, aggregateId }, 'an event is too large for NATS, and passed over');
      }
      told.push(row.id);
    }
    return { told };
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
        // The state alone is what neighbours live on.
        return publish(toBody({ ...row, changes: null }));
      });
    });
  }

  async function sweep() {
    if (Date.now() - sweptAt < sweepMs) return;
    sweptAt = Date.now();
    await db.delete(outbox).where(lt(outbox.publishedAt, sql`now() - interval '7 days'`));
    // A day longer than the stream keeps an event: a later delivery cannot come.
    await db.delete(inbox).where(lt(inbox.receivedAt, sql`now() - interval '31 days'`));
  }

  const ended = run();
  bus.track(ended);
  return {
    /** Looks at once, instead of at the next poll. */
    notify: wakeSignal.notify,
    /** Resolves when the relay has ended, after the bus was closed. */
    ended,
  };
}

const isTooLarge = (error: unknown) => error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded;

/**
 * Has the events of an aggregate (or all that are kept) published once more. Within two minutes of the last time the
 * stream takes them for repetitions, which is right: it still holds them, and the relay tells a new stream by itself.
 */
export async function republish({ db }: Database, aggregateId?: string): Promise<number> {
  const where = aggregateId === undefined ? undefined : eq(outbox.aggregateId, aggregateId);
  const rows = await db.update(outbox).set({ publishedAt: null }).where(where).returning({ id: outbox.id });
  return rows.length;
}
