import { collectGauge } from '@lms/telemetry/metrics';
import type { FastifyBaseLogger } from 'fastify';
import fp from 'fastify-plugin';
import { Redis } from 'ioredis';
import type { Options } from '../options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    redis: RedisConnection;
  }
}

interface Batched<Reply> {
  reply: Reply | undefined;
  /** How many equal items came after it. */
  later: number;
}

const commandMs = 1_000;
const probeMs = 250;
const probesBeforeReconnect = 8;
const probeKey = 'lms:probe';
const up = { name: 'gateway_redis_up', help: '1 while rate limits and quotas use Redis' };

/**
 * The connection to Redis. A server that is down or frozen delays requests by at most 60 ms; after that it is not used
 * until it responds to a probe.
 */
export const redis = fp(async (app, options: Options) => {
  const connection = connect(options, app.log);
  app.decorate('redis', connection);
  app.addHook('onClose', connection.close);
});

function connect({ config, registry, redisTimeoutMs = 50 }: Options, log: FastifyBaseLogger) {
  const client = new Redis(config.REDIS_URL, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: Math.max(commandMs, redisTimeoutMs),
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  let [isUp, isProbing, failedProbes] = [false, false, 0];
  let reported: unknown;
  let onReturn = () => {};

  async function probe() {
    if (isUp || isProbing || client.status !== 'ready') return;
    isProbing = true;
    try {
      // A replica, or a server without memory or with a full disk, responds to pings but refuses what the gateway stores.
      await client.set(probeKey, '', 'PX', probeMs);
      [isUp, failedProbes, reported] = [true, 0, undefined];
      log.info('Redis connected; rate limits and quotas are shared');
      onReturn();
    } catch (err) {
      report(err, 'Redis cannot be used; using in-process rate limits and quotas');
      failedProbes += 1;
      // Without a reset, TCP takes minutes to detect that the server is gone.
      if (failedProbes % probesBeforeReconnect === 0) client.disconnect(true);
    }
    isProbing = false;
  }

  function degrade(err: unknown) {
    if (isUp) report(err, 'Redis connection lost; using in-process rate limits and quotas');
    isUp = false;
  }

  /** Logs each cause once: the attempts follow one another within a second. */
  function report(err: unknown, message: string) {
    const { message: text, code = text } = Object(err);
    if (code !== reported) log.warn({ err }, message);
    reported = code;
  }

  /** Before it fails, replies that arrived while the event loop was busy are read. */
  function inTime<T>(command: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`no reply in ${redisTimeoutMs} ms`));
      const timer = setTimeout(() => setImmediate(() => setImmediate(fail)), redisTimeoutMs);
      command.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  const due: (() => void)[] = [];
  let pending = 0;
  /** Sends all commands with one write. What is due while they are pending waits, and is sent together after them. */
  function sendDue() {
    client.stream?.cork();
    for (const send of due.splice(0)) send();
    client.stream?.uncork();
  }
  function schedule(send: () => void) {
    if (due.push(send) === 1 && pending === 0) setImmediate(sendDue);
  }

  /** The replies of a command; none if Redis does not respond in time. */
  async function repliesOf<Reply>(send: () => Promise<Reply[]>): Promise<Reply[]> {
    pending += 1;
    try {
      // Unless it has waited for a command that failed.
      return isUp ? await inTime(send()) : [];
    } catch (error) {
      degrade(error);
      return [];
    } finally {
      pending -= 1;
      if (pending === 0 && due.length > 0) setImmediate(sendDue);
    }
  }

  client.on('error', (err) => report(err, 'Redis is unreachable; using in-process rate limits and quotas'));
  client.on('close', () => degrade(new Error('connection closed')));
  client.on('ready', () => void probe());
  const timer = setInterval(() => void probe(), probeMs);
  collectGauge(registry, up, () => (isUp ? 1 : 0));
  return {
    client,
    isUp: () => isUp,
    async check() {
      if (!isUp) throw new Error('not connected');
    },
    onReturn(handler: () => void) {
      onReturn = handler;
    },
    /**
     * Sends the items that are due at the same time with one command, equal ones once with their number. The reply
     * for an item is undefined if there is none in 50 ms.
     */
    inBatches<Item, Reply>(send: (counts: ReadonlyMap<Item, number>) => Promise<Reply[]>) {
      let waiting = new Map<Item, ((batched: Batched<Reply>) => void)[]>();
      async function sendWaiting() {
        const sent = [...waiting];
        waiting = new Map();
        const counts = new Map(sent.map(([item, equal]) => [item, equal.length]));
        const replies = await repliesOf(() => send(counts));
        for (const [at, [, equal]] of sent.entries())
          for (const [position, resolve] of equal.entries())
            resolve({ reply: replies[at], later: equal.length - 1 - position });
      }
      return (item: Item) =>
        new Promise<Batched<Reply>>((resolve) => {
          if (!isUp) return resolve({ reply: undefined, later: 0 });
          if (waiting.size === 0) schedule(sendWaiting);
          const equal = waiting.get(item);
          if (equal) equal.push(resolve);
          else waiting.set(item, [resolve]);
        });
    },
    async close() {
      clearInterval(timer);
      client.disconnect();
    },
  };
}
export type RedisConnection = ReturnType<typeof connect>;
