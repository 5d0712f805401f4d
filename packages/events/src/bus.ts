import { setTimeout as sleep } from 'node:timers/promises';
import { streamName, streamSubjects } from '@lms/contracts/events/definition';
import { connect, type JetStreamClient, type JetStreamManager, type NatsConnection, nanos } from 'nats';
import type { Logger } from 'pino';

export interface Connected {
  connection: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
}

const retentionMs = 30 * 24 * 3_600 * 1_000;
const retryMs = 1_000;
const firstConnectPauseMs = 500;

/**
 * The line to NATS. It is opened in the background and kept open for good: a server that is down hinders nobody,
 * and who needs it waits in `connected()`.
 */
export function openBus(servers: string, name: string, logger: Logger) {
  const closing = new AbortController();
  let current: Connected | undefined;

  const opened = (async () => {
    const connection = await connectAtLast();
    current = {
      connection,
      jetstream: connection.jetstream({ timeout: 5_000 }),
      manager: await connection.jetstreamManager({ checkAPI: false, timeout: 5_000 }),
    };
    if (closing.signal.aborted) await connection.close();
    return current;
  })();
  opened.catch((err: unknown) => {
    if (!closing.signal.aborted) logger.error({ err }, 'NATS cannot be used');
  });

  // The client's own waitOnFirstConnect cannot be called off, and would keep a process alive that is closing.
  async function connectAtLast(): Promise<NatsConnection> {
    for (;;) {
      try {
        return await connect({
          servers: servers.split(',').map((server) => server.trim()),
          name,
          maxReconnectAttempts: -1,
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

  /** Creates the stream unless it is there; after the loss of NATS's store it is made anew. */
  async function ensureStream() {
    const { manager } = await opened;
    const settings = { subjects: [...streamSubjects], max_age: nanos(retentionMs), duplicate_window: nanos(120_000) };
    await manager.streams.add({ name: streamName, ...settings }).catch(async (error: unknown) => {
      logger.debug({ err: error }, 'the stream stands already, or is not ours to make');
      await manager.streams.info(streamName);
    });
  }

  return {
    connected: () => opened,
    ensureStream,
    closing: closing.signal,
    /** Rejects unless the server answers. */
    async check() {
      if (!current || current.connection.isClosed()) throw new Error('not connected');
      await current.connection.flush();
    },
    /** Waits before another try, less when closing. */
    pause: () => sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined),
    async close() {
      closing.abort();
      await current?.connection.close();
    },
  };
}
export type Bus = ReturnType<typeof openBus>;
