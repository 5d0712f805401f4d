import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import type { Store } from '../state/store.ts';
import { sendWebhook, type Webhook } from './send.ts';

const maxConcurrent = 8;
const firstDelayMs = 500;
// A receiver that is back has the latest state within ten seconds, however long it was down.
const maxDelayMs = 5_000;

/** Sends the stored deliveries at least once: those of one user in order, those of different users concurrently. */
export function createDispatcher(store: Store, webhook: Webhook, logger: FastifyBaseLogger) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const limit = pLimit(maxConcurrent);
  const users = new Map<string, Promise<void>>();

  function dispatch(): void {
    for (const { userId } of store.read().deliveries)
      if (!users.has(userId) && !signal.aborted) users.set(userId, deliverAll(userId));
  }

  async function deliverAll(userId: string): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const delivery = store.read().deliveries.find((stored) => stored.userId === userId);
      if (!delivery) return void users.delete(userId);
      const { type, body, id } = delivery;
      const { kind, reason } = await limit(() => sendWebhook(webhook, body, signal));
      if (kind === 'failed') {
        const delayMs = Math.min(firstDelayMs * 2 ** failures, maxDelayMs);
        failures += 1;
        if (!signal.aborted)
          logger.warn({ type, userId, reason, failures, retryInMs: delayMs }, 'webhook failed, retrying');
        await wait(delayMs);
        continue;
      }
      failures = 0;
      if (kind === 'delivered') logger.info({ type, userId }, 'webhook delivered');
      else logger.error({ type, userId, reason }, 'webhook rejected, dropped');
      await remove(id).catch((error: unknown) => {
        logger.error(error, 'cannot write the state');
        return wait(maxDelayMs);
      });
    }
  }

  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});

  const remove = (id: string) =>
    store.update((state) => [
      { ...state, deliveries: state.deliveries.filter((stored) => stored.id !== id) },
      undefined,
    ]);

  return {
    start: () => {
      store.onWrite(dispatch);
      dispatch();
    },
    /** Aborts running attempts; their deliveries stay in the store. */
    stop: async () => {
      stopping.abort();
      await Promise.all(users.values());
    },
  };
}
