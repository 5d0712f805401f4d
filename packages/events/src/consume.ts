import type { Database } from '@lms/database/connect';
import type { JsMsg } from 'nats';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import type { EventHandler } from './event-handler.ts';
import { fetchBatches } from './fetch-batches.ts';
import { asLeader, type Leadership } from './leadership.ts';
import { type DurableConsumer, openConsumer } from './open-consumer.ts';
import { createBatchProcessor } from './process-batch.ts';

export interface ConsumeOptions extends DurableConsumer {
  database: Database;
  bus: Bus;
  logger: Logger;
  handlers: EventHandler[];
  /** The number of attempts before an event becomes a dead letter. */
  maxAttempts?: number;
}

const reportMs = 3_000;

/** While a batch takes long, keeps its messages from being delivered again, and PostgreSQL from ending the idle leadership. */
async function whileReporting(batch: JsMsg[], check: Leadership['check'], work: Promise<void>) {
  async function report() {
    for (const message of batch) message.working();
    await check();
  }
  // The work notices a lost connection by itself.
  const timer = setInterval(() => void report().catch(() => undefined), reportMs);
  await work.finally(() => clearInterval(timer));
}

/**
 * Starts a durable consumer that handles each event once, in batches: the handlers and the inbox rows share a transaction.
 * One process of a service consumes at a time, so that the events of an aggregate stay in order. While the database is
 * unavailable, the consumer waits.
 */
export function consume({ database, bus, logger, durable, filter, handlers, maxAttempts = 8 }: ConsumeOptions) {
  const batchOptions = {
    database,
    logger,
    maxAttempts,
    consumer: durable,
    handlers: new Map(handlers.map((handler) => [handler.type, handler])),
    metrics: bus.metrics?.consumer(durable),
  };

  async function run() {
    while (!bus.closing.aborted) {
      try {
        await bus.connected();
        await asLeader(database.db, `consumer:${durable}`, bus.closing, lead);
      } catch (err) {
        if (!bus.closing.aborted) logger.warn({ err, durable }, 'event consumer failed and will be restarted');
      }
      await bus.pause();
    }
  }

  async function lead({ signal, check }: Leadership) {
    const connections = bus.connections();
    const consumer = await openConsumer(bus, database.db, { durable, filter }, logger);
    const processBatch = createBatchProcessor(batchOptions);
    while (!signal.aborted && bus.connections() === connections) {
      let isIdle = true;
      for await (const batch of fetchBatches(consumer, signal)) {
        await check();
        await whileReporting(batch, check, processBatch(batch));
        isIdle = false;
      }
      if (!isIdle || signal.aborted) continue;
      // PostgreSQL would end the session of a transaction that is idle for long, and with it the leadership.
      await check();
      // A fetch from a deleted consumer ends without an error; info() fails.
      await consumer.info();
    }
  }

  const ended = run();
  bus.track(ended);
  return {
    /** Resolves after the bus was closed and the current batch was handled. */
    ended,
  };
}
