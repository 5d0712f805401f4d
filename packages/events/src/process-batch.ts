import type { Database } from '@lms/database/connect';
import { isDatabaseOutage, isLockTimeout } from '@lms/database/errors';
import type { JsMsg } from 'nats';
import type { Logger } from 'pino';
import { identifiesErased } from './erasures.ts';
import { UnreadableEvent } from './event-handler.ts';
import type { EventMetrics } from './event-metrics.ts';
import { type DeliveredMessage, groupBy, type Handling, handleMessages } from './inbox.ts';
import { deadLetters } from './tables.ts';

export interface BatchOptions extends Omit<Handling, 'db'> {
  database: Database;
  logger: Logger;
  metrics: ReturnType<EventMetrics['consumer']> | undefined;
  /** The number of attempts before an event becomes a dead letter. */
  maxAttempts: number;
}

interface Delivery extends DeliveredMessage {
  message: JsMsg;
  position: { sequence: number; version: number | null };
}

const groupByAggregate = (deliveries: Delivery[]) => groupBy(deliveries, ({ aggregateId }) => aggregateId).values();

/** The event that an aggregate waits for. */
interface Failure {
  sequence: number;
  attempts: number;
  /** As `performance.now()`. */
  retryAt: number;
}

const backOffMs = (attempt: number) => Math.min(250 * 2 ** (attempt - 1), 30_000);

/**
 * Creates a function that handles a batch in one transaction. If that fails, it handles the events one by one. A failed
 * event is retried with back-off and becomes a dead letter after the last attempt; until then, later events of its aggregate
 * wait, and those of other aggregates continue.
 * @throws while the database is unavailable, or a migration or an import locks what a handler needs, without counting an attempt
 */
export function createBatchProcessor({ database, logger, metrics, maxAttempts, consumer, handlers }: BatchOptions) {
  const failures = new Map<string, Failure>();
  const handling = { db: database.db, consumer, handlers };

  return async function processBatch(messages: JsMsg[]) {
    for (const { redelivered } of messages) if (redelivered) metrics?.redelivered();
    const deliveries = messages.map(toDelivery).sort((one, other) => one.position.sequence - other.position.sequence);
    const failing = deliveries.filter(({ aggregateId }) => failures.has(aggregateId));
    const others = deliveries.filter(({ aggregateId }) => !failures.has(aggregateId));
    await handleTogether(others);
    for (const group of groupByAggregate(failing)) await handleOneByOne(group);
  };

  async function handleTogether(deliveries: Delivery[]) {
    if (deliveries.length === 0) return;
    try {
      await handleMessages(handling, deliveries);
    } catch (err) {
      await throwIfUnavailable(err);
      logger.debug({ err, consumer }, 'batch of events failed and is handled one by one');
      for (const group of groupByAggregate(deliveries)) await handleOneByOne(group);
      return;
    }
    await finish(deliveries);
  }

  async function handleOneByOne(group: Delivery[]) {
    for (const delivery of group) {
      const failure = failures.get(delivery.aggregateId);
      if (failure && failure.sequence < delivery.position.sequence) {
        delivery.message.nak(Math.max(1, Math.ceil(failure.retryAt - performance.now())));
        continue;
      }
      try {
        await handleMessages(handling, [delivery]);
        await finish([delivery]);
      } catch (err) {
        await throwIfUnavailable(err);
        if (!(await giveUp(delivery, err))) continue;
        await acknowledge([delivery]);
      }
      failures.delete(delivery.aggregateId);
    }
  }

  async function finish(deliveries: Delivery[]) {
    for (const { headers } of deliveries) metrics?.delivered('done', headers['ce-time']);
    await acknowledge(deliveries);
  }

  /** Returns true if the event has become a dead letter, false if it will be delivered again. */
  async function giveUp(delivery: Delivery, err: unknown): Promise<boolean> {
    const { aggregateId, position, message } = delivery;
    const attempts = (failures.get(aggregateId)?.attempts ?? 0) + 1;
    logger.warn({ err, consumer, eventId: delivery.id, attempt: attempts }, 'event handler failed');
    const isLast = err instanceof UnreadableEvent || attempts >= maxAttempts;
    if (isLast && (await deadLetter(delivery, err, attempts))) return true;
    metrics?.delivered('failed', undefined);
    failures.set(aggregateId, {
      sequence: position.sequence,
      attempts,
      retryAt: performance.now() + backOffMs(attempts),
    });
    message.nak(backOffMs(attempts));
    return false;
  }

  async function deadLetter({ id, subject, body, headers }: Delivery, error: unknown, attempts: number) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    try {
      if (await identifiesErased(database.db, body)) {
        logger.warn({ consumer, eventId: id }, 'failed event was dropped, because it identifies an erased person');
        return true;
      }
      await database.db
        .insert(deadLetters)
        .values({ consumer, eventId: id, subject, body, headers, error: text, attempts })
        .onConflictDoNothing();
    } catch (err) {
      logger.error({ err, consumer, eventId: id }, 'storing a dead letter failed');
      return false;
    }
    metrics?.delivered('dead_lettered', undefined);
    return true;
  }

  async function acknowledge(deliveries: Delivery[]) {
    // ackAck waits for the server's confirmation; a plain ack is often lost if the process is killed. The server handles
    // them in order. If some are lost anyway, the inbox recognizes the redelivered events.
    const [last, ...earlier] = deliveries.toReversed();
    for (const { message } of earlier) message.ack();
    await last?.message
      .ackAck({ timeout: 500 })
      .catch((err: unknown) => logger.debug({ err, consumer }, 'acknowledgement failed'));
  }

  async function throwIfUnavailable(err: unknown) {
    if (!isDatabaseOutage(err)) return;
    if (isLockTimeout(err)) throw err;
    await database.ping().catch(() => {
      throw err;
    });
  }
}

function toDelivery(message: JsMsg): Delivery {
  const headers: Record<string, string> = {};
  for (const [name, values] of message.headers ?? []) headers[name.toLowerCase()] = values[0] ?? '';
  const id = headers['ce-id'] ?? `${message.info.stream}:${message.seq}`;
  const version = Number(headers['ce-sequence']);
  return {
    id,
    aggregateId: headers['ce-subject'] ?? id,
    subject: message.subject,
    body: message.string(),
    headers,
    position: { sequence: message.seq, version: Number.isInteger(version) && version > 0 ? version : null },
    message,
  };
}
