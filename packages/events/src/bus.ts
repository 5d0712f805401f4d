import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamName, streamSubjects } from '@lms/contracts/events/definition';
import type { Registry } from '@lms/telemetry/registry';
import { connect, type JetStreamClient, type JetStreamManager, type NatsConnection, NatsError, nanos } from 'nats';
import type { Logger } from 'pino';
import { createEventMetrics } from './event-metrics.ts';
import { parseServers } from './servers.ts';

export interface Connected {
  connection: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
}

const retentionMs = 30 * 24 * 3_600 * 1_000;
const duplicateWindowMs = 120_000;
// What was asked while the line was down is never answered: the sooner it is asked again, the sooner all goes on.
const requestMs = 3_000;
const retryMs = 1_000;
const pingTimeoutMs = 1_000;
const graceMs = 1_000;
const firstConnectPauseMs = 500;

/**
 * The line to NATS. It is opened in the background and kept open for good: a server that is down hinders nobody,
 * and who needs it waits in `connected()`.
 */
export function connectBus(servers: string, name: string, logger: Logger, registry?: Registry) {
  const closing = new AbortController();
  // Every consumer and relay waits for it.
  setMaxListeners(0, closing.signal);
  const underWay: Promise<unknown>[] = [];
  let current: Connected | undefined;

  const opened = (async () => {
    const connection = await connectWithRetry();
    current = {
      connection,
      jetstream: connection.jetstream({ timeout: requestMs }),
      manager: await connection.jetstreamManager({ checkAPI: false, timeout: requestMs }),
    };
    if (closing.signal.aborted) await connection.close();
    return current;
  })();
  opened.catch((err: unknown) => {
    if (!closing.signal.aborted) logger.error({ err }, 'NATS cannot be used');
  });

  // The client's own waitOnFirstConnect cannot be called off, and would keep a process alive that is closing.
  async function connectWithRetry(): Promise<NatsConnection> {
    for (;;) {
      try {
        return await connect({
          ...parseServers(servers),
          name,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          reconnectTimeWait: 500,
          reconnectJitter: 200,
          pingInterval: 5_000,
          maxPingOut: 2,
          timeout: 2_000,
        });
      } catch (err) {
        logger.debug({ err }, 'NATS is out of reach');
        await sleep(firstConnectPauseMs, undefined, { signal: closing.signal });
      }
    }
  }

  /**
   * Creates the stream unless it is there; after the loss of NATS's store it is made anew.
   * @returns when it was created
   */
  async function ensureStream(): Promise<Date> {
    const { manager } = await opened;
    const find = () => manager.streams.info(streamName);
    const make = () =>
      manager.streams.add({
        name: streamName,
        subjects: [...streamSubjects],
        max_age: nanos(retentionMs),
        duplicate_window: nanos(duplicateWindowMs),
      });
    const { created } = await find().catch((error: unknown) => {
      if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
      // Of two that make it at the same time, one may be refused.
      return make().catch(find);
    });
    return new Date(created);
  }

  /** Rejects unless the server answers within a second. */
  async function check() {
    if (!current || current.connection.isClosed()) throw new Error('not connected');
    const answered = current.connection.flush().then(() => true);
    if (!(await Promise.race([answered, sleep(pingTimeoutMs, false, { ref: false })]))) throw new Error('no answer');
  }

  async function infoOf(durable: string) {
    if (!current) throw new Error('not connected');
    return current.manager.consumers.info(streamName, durable);
  }

  return {
    connected: () => opened,
    ensureStream,
    closing: closing.signal,
    check,
    /** Counts what is told and heard on this line, where anybody wants to know. */
    metrics: registry && createEventMetrics(registry, { check, consumerInfo: infoOf }),
    /** Waits before another try, less when closing. */
    pause: () => sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined),
    /** Names work that `close` should let come to its end. */
    track(work: Promise<unknown>) {
      underWay.push(work);
    },
    async close() {
      closing.abort();
      await settleWithin(graceMs, underWay);
      await current?.connection.close();
    },
  };
}
export type Bus = ReturnType<typeof connectBus>;

async function settleWithin(ms: number, work: Promise<unknown>[]) {
  const settled = new AbortController();
  const deadline = sleep(ms, undefined, { signal: settled.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(work), deadline]);
  settled.abort();
}
