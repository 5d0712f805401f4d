import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamName, streamSubjects } from '@lms/contracts/events/definition';
import type { Registry } from '@lms/telemetry/registry';
import {
  connect,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  type StreamState,
} from 'nats';
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
// A request sent while the connection is down never gets a response: a short timeout lets it be sent again soon.
const requestMs = 3_000;
const retryMs = 1_000;
const pingTimeoutMs = 1_000;
const closeTimeoutMs = 1_000;
const connectRetryMs = 500;

/**
 * The connection to NATS. It is opened in the background and reconnects forever, so that a process can start while NATS
 * is down. `connected()` waits for the first connection.
 */
export function connectBus(servers: string, name: string, logger: Logger, registry?: Registry) {
  const closing = new AbortController();
  // Every consumer and relay listens to it.
  setMaxListeners(0, closing.signal);
  const tracked: Promise<unknown>[] = [];
  let current: Connected | undefined;
  let connections = 0;

  const opened = (async () => {
    const connection = await connectWithRetry();
    logger.info('NATS connected');
    void watchStatus(connection);
    current = {
      connection,
      jetstream: connection.jetstream({ timeout: requestMs }),
      manager: await connection.jetstreamManager({ checkAPI: false, timeout: requestMs }),
    };
    if (closing.signal.aborted) await connection.close();
    return current;
  })();
  opened.catch((err: unknown) => {
    if (!closing.signal.aborted) logger.error({ err }, 'NATS connection failed');
  });

  async function watchStatus(connection: NatsConnection) {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' && !closing.signal.aborted) logger.warn('NATS connection lost');
      if (type !== 'reconnect') continue;
      connections += 1;
      logger.info('NATS connected');
    }
  }

  // The client's own waitOnFirstConnect cannot be aborted and would keep a closing process alive.
  async function connectWithRetry(): Promise<NatsConnection> {
    let reported: unknown;
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
        // Once for each cause: the attempts follow one another every half second.
        const { code, message } = Object(err);
        const cause = code ?? message;
        if (cause !== reported) logger.warn({ err }, 'NATS is unreachable and will be tried again');
        reported = cause;
        await sleep(connectRetryMs, undefined, { signal: closing.signal });
      }
    }
  }

  /**
   * Creates the stream if it does not exist, also after NATS lost its data.
   * @returns the state of the stream
   */
  async function ensureStream(): Promise<StreamState> {
    const { manager } = await opened;
    const find = () => manager.streams.info(streamName);
    const create = () =>
      manager.streams.add({
        name: streamName,
        subjects: [...streamSubjects],
        max_age: nanos(retentionMs),
        duplicate_window: nanos(duplicateWindowMs),
      });
    const { state } = await find().catch((error: unknown) => {
      if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
      // If another process creates it at the same time, this call can fail.
      return create().catch(find);
    });
    return state;
  }

  /** Rejects unless the server responds within a second. */
  async function check() {
    if (!current || current.connection.isClosed()) throw new Error('not connected');
    const responded = current.connection.flush().then(() => true);
    if (!(await Promise.race([responded, sleep(pingTimeoutMs, false, { ref: false })]))) throw new Error('timed out');
  }

  async function infoOf(durable: string) {
    if (!current) throw new Error('not connected');
    return current.manager.consumers.info(streamName, durable);
  }

  return {
    connected: () => opened,
    /** How often the connection was reopened. The server may have lost messages meanwhile. */
    connections: () => connections,
    ensureStream,
    closing: closing.signal,
    check,
    /** Metrics of the outbox and the consumers, if there is a registry. */
    metrics: registry && createEventMetrics(registry, { check, consumerInfo: infoOf }),
    /** Waits before a retry; returns early when closing. */
    pause: () => sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined),
    /** Registers work that `close` waits for. */
    track(work: Promise<unknown>) {
      tracked.push(work);
    },
    async close() {
      closing.abort();
      await settleWithin(closeTimeoutMs, tracked);
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
