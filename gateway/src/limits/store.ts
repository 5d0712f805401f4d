import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Item } from './item.ts';
import { countScript, countScriptSha, decode, encode } from './script.ts';

const answerMs = 45;
const probeMs = 250;
const probesBeforeReconnect = 8;

/**
 * The line to Redis. A server that is down or frozen costs a request 50 ms at most, and the next ones nothing:
 * until it answers a probe again it is left alone.
 */
export function openStore(url: string, logger: Logger) {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  const proposedEpoch = randomUUID();
  const returned: (() => Promise<unknown>)[] = [];
  let isUp = false;
  let probing = false;
  let failedProbes = 0;

  redis.on('error', (err: Error) => logger.debug({ err }, 'redis is out of reach'));
  const timer = setInterval(() => void probe(), probeMs).unref();
  redis.on('ready', () => void probe());

  async function probe() {
    if (isUp || probing || redis.status !== 'ready') return;
    probing = true;
    try {
      await inTime(redis.ping());
      for (const tell of returned) await tell();
      isUp = true;
      failedProbes = 0;
      logger.info('redis counts');
    } catch (err) {
      logger.debug({ err }, 'redis does not answer');
      // A connection that lost its other end without a word would be waited on for minutes.
      failedProbes += 1;
      if (failedProbes % probesBeforeReconnect === 0) redis.disconnect(true);
    } finally {
      probing = false;
    }
  }

  function lose(err: unknown) {
    if (isUp) logger.warn({ err }, 'redis does not count; this process counts alone');
    isUp = false;
  }

  async function evaluate(keys: string[], args: string[]): Promise<unknown> {
    try {
      return await redis.evalsha(countScriptSha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(countScript, keys.length, ...keys, ...args);
    }
  }

  return {
    redis,
    isUp: () => isUp,
    /** Called whenever Redis is back, before it is counted on again. */
    onReturn: (tell: () => Promise<unknown>) => void returned.push(tell),
    /** Counts a batch; undefined when Redis did not answer in time. */
    async count(items: readonly Item[]) {
      if (!isUp) return undefined;
      try {
        const { keys, args } = encode(items, proposedEpoch);
        const answer = await inTime(evaluate(keys, args));
        if (!Array.isArray(answer)) throw new Error('redis answered something else');
        return decode(items, answer, Date.now());
      } catch (err) {
        lose(err);
        return undefined;
      }
    },
    /** Runs what can wait: rejects when Redis does not do it in a second. */
    run: <T>(work: Promise<T>): Promise<T> => inTime(work, 1_000),
    async check() {
      if (!isUp) throw new Error('not counting');
    },
    close() {
      clearInterval(timer);
      redis.disconnect();
    },
  };
}
export type Store = ReturnType<typeof openStore>;

/**
 * A deadline that a busy event loop does not break: when the time is over, the answers that have arrived
 * but were not read yet are read first.
 */
function inTime<T>(work: Promise<T>, ms = answerMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => setImmediate(reject, new Error(`no answer in ${ms} ms`))), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
