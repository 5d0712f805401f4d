import { collectGauge } from '@lms/telemetry/metrics';
import type { FastifyBaseLogger } from 'fastify';
import fp from 'fastify-plugin';
import { Redis } from 'ioredis';
import type { Options } from '../config.ts';

interface Batched<Reply> {
  reply: Reply | undefined;
  /** How many equal items came after it. */
  later: number;
}

const probeMs = 250;
const silenceMs = 2_000;
const probeKey = 'lms:probe';
const up = { name: 'gateway_redis_up', help: '1 while rate limits and quotas use Redis' };

/**
 * The connection to Redis. A server that is down or frozen delays requests by a fraction of a second once; after that it is
 * not used until it accepts a write.
 */
export const redis = fp(async (app, options: Options) => {
  const connection = connect(options, app.log);
  app.decorate('redis', connection);
  app.addHook('onClose', connection.close);
});
export type RedisConnection = ReturnType<typeof connect>;

function connect({ config, registry, redisTimeoutMs = 200 }: Options, log: FastifyBaseLogger) {
  const client = new Redis(config.REDIS_URL, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: redisTimeoutMs,
    // Without a reset, TCP takes minutes to detect that the server is gone.
    socketTimeout: Math.max(silenceMs, redisTimeoutMs),
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  let [isUp, isProbing] = [false, false];
  let reported: unknown;
  let onReturn = () => {};

  async function probe() {
    if (isUp || isProbing || client.status !== 'ready') return;
    isProbing = true;
    try {
      // A replica, or a server without memory or with a full disk, responds to pings but refuses what the gateway stores.
      await client.set(probeKey, '', 'PX', probeMs);
      [isUp, reported] = [true, undefined];
      log.info('Redis connected; rate limits and quotas are shared');
      onReturn();
    } catch (err) {
      report(err, 'Redis cannot be used; using in-process rate limits and quotas');
    }
    isProbing = false;
  }

  /** @returns no replies */
  function degrade(err: unknown): never[] {
    if (isUp) report(err, 'Redis connection lost; using in-process rate limits and quotas');
    isUp = false;
    return [];
  }

  /** Logs each cause once: the attempts follow one another within a second. */
  function report(err: unknown, message: string) {
    const { message: text, code = text } = Object(err);
    if (code !== reported) log.warn({ err }, message);
    reported = code;
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
     * Sends the items that become due while a command is pending with the next one, equal items once with their number. The
     * reply for an item is undefined if there is none in time.
     */
    inBatches<Item, Reply>(send: (counts: ReadonlyMap<Item, number>) => Promise<Reply[]>) {
      let due = new Map<Item, ((batched: Batched<Reply>) => void)[]>();
      let isPending = false;
      async function sendDue() {
        // One write for all that is due in this turn, which takes a third of what ioredis' auto-pipelining takes.
        const { stream } = client;
        stream?.cork();
        setImmediate(() => stream?.uncork());
        const batch = [...due];
        due = new Map();
        const counts = new Map(batch.map(([item, equal]) => [item, equal.length]));
        // It may have gone down while the command before was pending.
        const replies: Reply[] = isUp ? await send(counts).catch(degrade) : [];
        for (const [at, [, equal]] of batch.entries())
          for (const [position, resolve] of equal.entries())
            resolve({ reply: replies[at], later: equal.length - 1 - position });
        isPending = due.size > 0;
        if (isPending) setImmediate(sendDue);
      }
      return (item: Item) =>
        new Promise<Batched<Reply>>((resolve) => {
          if (!isUp) return resolve({ reply: undefined, later: 0 });
          const equal = due.get(item);
          if (equal) equal.push(resolve);
          else due.set(item, [resolve]);
          if (!isPending) setImmediate(sendDue);
          isPending = true;
        });
    },
    async close() {
      clearInterval(timer);
      client.disconnect();
    },
  };
}
