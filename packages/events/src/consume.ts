import { type Changes, type EventDefinition, streamName } from '@lms/contracts/events/definition';
import type { Database, Db } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, nanos } from 'nats';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { deadLetters, inbox } from './tables.ts';
import { traceDelivery } from './trace-delivery.ts';

export interface ConsumedEvent<T extends TSchema> {
  id: string;
  type: string;
  data: Static<T>;
  /** Counts the changes of one aggregate; a lower one than already seen is old news. */
  version: number;
  changes?: Changes;
  actorId: string | null;
  requestId: string | null;
  time: Date;
}

/** Handles one event inside the transaction that also notes it in the inbox. */
export type HandleEvent<T extends TSchema> = (tx: Db, event: ConsumedEvent<T>) => Promise<unknown>;

export interface EventHandler {
  type: string;
  handle: (tx: Db, message: Message) => Promise<unknown>;
}

export interface Message {
  id: string;
  subject: string;
  body: string;
  headers: Record<string, string>;
}

/** Pairs an event with what is done about it. */
export function on<T extends TSchema>(definition: EventDefinition<T>, handle: HandleEvent<T>): EventHandler {
  return {
    type: definition.type,
    handle: (tx, message) => handle(tx, read(definition, message)),
  };
}

class UnreadableEvent extends Error {
  override name = 'UnreadableEvent';
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new UnreadableEvent('not JSON', { cause });
  }
}

function read<T extends TSchema>(
  { type, data: schema }: EventDefinition<T>,
  { id, body, headers }: Message,
): ConsumedEvent<T> {
  const { version, changes, ...data } = Object(parse(body));
  if (!Value.Check(schema, data) || !Number.isInteger(version))
    throw new UnreadableEvent(`${type} ${id} does not have the agreed shape`);
  const time = new Date(headers['ce-time'] ?? 0);
  return {
    id,
    type,
    data,
    version,
    ...(changes && { changes }),
    actorId: headers['ce-actorid'] ?? null,
    requestId: headers['ce-requestid'] ?? null,
    time,
  };
}

export interface ConsumeOptions {
  database: Database;
  bus: Bus;
  logger: Logger;
  /** The durable consumer's name, like `enrollment-identity-users`. */
  durable: string;
  /** One NATS subject, wildcards allowed (several need server 2.10). */
  filter: string;
  handlers: EventHandler[];
  /** How often an event is tried before it is set aside. */
  maxAttempts?: number;
}

// Longer than any event should take; while the database is out, it is prolonged.
const ackWaitMs = 10_000;
const fetchMs = 5_000;
const backOffMs = (attempt: number) => Math.min(250 * 2 ** (attempt - 1), 30_000);

/**
 * A durable consumer that deals with each event once: effect and inbox row share a transaction. Failures are tried again
 * with back-off, while others go on, and then set aside as dead letters; while the database is out, nothing is given up.
 */
export function consume({
  database,
  bus,
  logger,
  durable,
  filter,
  handlers: listeners,
  maxAttempts: tries = 8,
}: ConsumeOptions) {
  const byType = new Map(listeners.map((listener) => [listener.type, listener]));
  const measures = bus.metrics?.consumer(durable);

  async function run() {
    while (!bus.closing.aborted) {
      try {
        const consumer = await ensureConsumer();
        while (!bus.closing.aborted) {
          const handled = await handleBatch(consumer);
          // A fetch from a consumer that is gone just ends; to ask for it is an error.
          if (handled === 0 && !bus.closing.aborted) await consumer.info();
        }
      } catch (err) {
        if (!bus.closing.aborted) logger.warn({ err, durable }, 'the consumer starts over');
        await bus.pause();
      }
    }
  }

  async function handleBatch(consumer: Consumer): Promise<number> {
    let dealtWith = 0;
    const messages = await consumer.fetch({ max_messages: 50, expires: fetchMs });
    // Left to itself, a fetch on a closed connection waits until it expires.
    const stop = () => messages.stop();
    bus.closing.addEventListener('abort', stop);
    if (bus.closing.aborted) stop();
    try {
      for await (const message of messages) {
        // What is not dealt with any more will be delivered again.
        if (bus.closing.aborted) break;
        await deal(message);
        dealtWith += 1;
      }
    } finally {
      bus.closing.removeEventListener('abort', stop);
    }
    return dealtWith;
  }

  async function ensureConsumer(): Promise<Consumer> {
    await bus.ensureStream();
    const { jetstream, manager } = await bus.connected();
    // max_deliver stays unlimited: with a limit, server 2.9 stalls the whole consumer at a message that used it up.
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

  async function deal(message: JsMsg) {
    const incoming = messageOf(message);
    if (message.redelivered) measures?.redelivered();
    const failure = await handle(message, incoming);
    if (failure === 'closing') return;
    if (!failure) measures?.delivered('done', incoming.headers['ce-time']);
    else {
      const { err } = failure;
      const attempt = message.info.redeliveryCount;
      logger.warn({ err, durable, eventId: incoming.id, attempt }, 'an event could not be dealt with');
      const giveUp = err instanceof UnreadableEvent || attempt >= tries;
      if (!giveUp || !(await deadLetter(incoming, err, attempt))) {
        measures?.delivered('failed', undefined);
        return message.nak(backOffMs(attempt));
      }
      measures?.delivered('set_aside', undefined);
    }
    // An acknowledgement that is itself acknowledged survives kill -9 far more often than a plain one.
    // If it gets lost all the same, the inbox knows the event when it comes again.
    await message.ackAck({ timeout: 500 }).catch((err: unknown) => logger.debug({ err, durable }, 'not acknowledged'));
  }

  /** Tries in place while the database is out, so that the order is kept and no attempt is counted. */
  async function handle(message: JsMsg, incoming: Message): Promise<{ err: unknown } | 'closing' | undefined> {
    for (let waited = 0; ; waited += 1) {
      try {
        await traceDelivery(durable, incoming, () => handleOnce(database.db, durable, byType, incoming));
        return undefined;
      } catch (err) {
        if (bus.closing.aborted) return 'closing';
        if (!isDatabaseOutage(err) || (await answers(database))) return { err };
        if (waited === 0) logger.warn({ err, durable }, 'waiting for the database');
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
      logger.error({ err, durable, eventId: id }, 'an event could not be set aside');
      return false;
    }
  }

  const ended = run();
  bus.track(ended);
  return {
    /** Resolves when the last event was dealt with, after the bus was closed. */
    ended,
  };
}

const answers = (database: Database) =>
  database.ping().then(
    () => true,
    () => false,
  );

/** Runs the listener of a message unless this consumer has dealt with it before. */
export async function handleOnce(
  db: Db,
  consumer: string,
  byType: ReadonlyMap<string, EventHandler>,
  message: Message,
) {
  const listener = byType.get(message.headers['ce-type'] ?? '');
  if (!listener) return;
  await db.transaction(async (tx) => {
    const [fresh] = await tx.insert(inbox).values({ consumer, eventId: message.id }).onConflictDoNothing().returning();
    if (fresh) await listener.handle(tx, message);
  });
}

function messageOf(message: JsMsg): Message {
  const headers: Record<string, string> = {};
  for (const [name, values] of message.headers ?? []) headers[name.toLowerCase()] = values[0] ?? '';
  return {
    id: headers['ce-id'] ?? `${message.info.stream}:${message.seq}`,
    subject: message.subject,
    body: message.string(),
    headers,
  };
}
