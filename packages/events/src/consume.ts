import { streamName } from '@lms/contracts/events/definition';
import type { Database } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, nanos } from 'nats';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { type EventHandler, handleOnce, type Message, UnreadableEvent } from './event-handler.ts';
import { deadLetters } from './tables.ts';
import { traceDelivery } from './trace-delivery.ts';

export interface ConsumeOptions {
  database: Database;
  bus: Bus;
  logger: Logger;
  /** The durable consumer's name, like `enrollment-identity-users`. */
  durable: string;
  /** One NATS subject; wildcards are allowed (more than one subject needs server 2.10). */
  filter: string;
  handlers: EventHandler[];
  /** The number of attempts before an event becomes a dead letter. */
  maxAttempts?: number;
}

// Longer than handling an event should take; it is extended while the database is unavailable.
const ackWaitMs = 10_000;
const fetchMs = 5_000;
const backOffMs = (attempt: number) => Math.min(250 * 2 ** (attempt - 1), 30_000);

/**
 * Starts a durable consumer that handles each event once: the handler and the inbox row share a transaction. A failed
 * event is retried with back-off while others continue, and becomes a dead letter after the last attempt. While the
 * database is unavailable, the consumer waits and counts no attempts.
 */
export function consume({ database, bus, logger, durable, filter, handlers, maxAttempts = 8 }: ConsumeOptions) {
  const byType = new Map(handlers.map((handler) => [handler.type, handler]));
  const metrics = bus.metrics?.consumer(durable);

  async function run() {
    while (!bus.closing.aborted) {
      try {
        const consumer = await ensureConsumer();
        while (!bus.closing.aborted) {
          const handled = await handleBatch(consumer);
          // A fetch from a deleted consumer ends without an error; info() fails.
          if (handled === 0 && !bus.closing.aborted) await consumer.info();
        }
      } catch (err) {
        if (!bus.closing.aborted) logger.warn({ err, durable }, 'event consumer failed and will be restarted');
        await bus.pause();
      }
    }
  }

  async function handleBatch(consumer: Consumer): Promise<number> {
    let handled = 0;
    const messages = await consumer.fetch({ max_messages: 50, expires: fetchMs });
    // Without this, a fetch on a closed connection waits until it expires.
    const stop = () => messages.stop();
    bus.closing.addEventListener('abort', stop);
    if (bus.closing.aborted) stop();
    try {
      for await (const message of messages) {
        // The remaining messages will be delivered again.
        if (bus.closing.aborted) break;
        await processMessage(message);
        handled += 1;
      }
    } finally {
      bus.closing.removeEventListener('abort', stop);
    }
    return handled;
  }

  async function ensureConsumer(): Promise<Consumer> {
    await bus.ensureStream();
    const { jetstream, manager } = await bus.connected();
    // max_deliver stays unlimited: with a limit, server 2.9 stalls the whole consumer at a message that reached it.
    const settings = {
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      filter_subject: filter,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: 1_000,
    };
    await manager.consumers.add(streamName, { durable_name: durable, ...settings });
    return jetstream.consumers.get(streamName, durable);
  }

  async function processMessage(message: JsMsg) {
    const incoming = toMessage(message);
    if (message.redelivered) metrics?.redelivered();
    const failure = await handleWithRetry(message, incoming);
    if (failure === 'closing') return;
    if (!failure) metrics?.delivered('done', incoming.headers['ce-time']);
    else {
      const { err } = failure;
      const attempt = message.info.redeliveryCount;
      logger.warn({ err, durable, eventId: incoming.id, attempt }, 'event handler failed');
      const giveUp = err instanceof UnreadableEvent || attempt >= maxAttempts;
      if (!giveUp || !(await deadLetter(incoming, err, attempt))) {
        metrics?.delivered('failed', undefined);
        return message.nak(backOffMs(attempt));
      }
      metrics?.delivered('set_aside', undefined);
    }
    // ackAck waits for the server's confirmation; a plain ack is often lost if the process is killed.
    // If it is lost anyway, the inbox recognizes the redelivered event.
    await message
      .ackAck({ timeout: 500 })
      .catch((err: unknown) => logger.debug({ err, durable }, 'acknowledgement failed'));
  }

  /** Retries in place while the database is unavailable, which preserves the order and counts no attempts. */
  async function handleWithRetry(message: JsMsg, incoming: Message): Promise<{ err: unknown } | 'closing' | undefined> {
    for (let waited = 0; ; waited += 1) {
      try {
        await traceDelivery(durable, incoming, () => handleOnce(database.db, durable, byType, incoming));
        return undefined;
      } catch (err) {
        if (bus.closing.aborted) return 'closing';
        if (!isDatabaseOutage(err) || (await isReachable(database))) return { err };
        if (waited === 0) logger.warn({ err, durable }, 'database unavailable; event consumer is waiting');
      }
      message.working();
      await bus.pause();
    }
  }

  async function deadLetter(
    { id, subject, body, headers }: Message,
    error: unknown,
    attempts: number,
  ): Promise<boolean> {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    try {
      await database.db
        .insert(deadLetters)
        .values({ consumer: durable, eventId: id, subject, body, headers, error: text, attempts })
        .onConflictDoNothing();
      return true;
    } catch (err) {
      logger.error({ err, durable, eventId: id }, 'storing a dead letter failed');
      return false;
    }
  }

  const ended = run();
  bus.track(ended);
  return {
    /** Resolves after the bus was closed and the current event was handled. */
    ended,
  };
}

const isReachable = (database: Database) =>
  database.ping().then(
    () => true,
    () => false,
  );

function toMessage(message: JsMsg): Message {
  const headers: Record<string, string> = {};
  for (const [name, values] of message.headers ?? []) headers[name.toLowerCase()] = values[0] ?? '';
  return {
    id: headers['ce-id'] ?? `${message.info.stream}:${message.seq}`,
    subject: message.subject,
    body: message.string(),
    headers,
  };
}
