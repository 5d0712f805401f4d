import type { FastifyBaseLogger } from 'fastify';
import type { Delivery } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { sendWebhook, type Webhook } from './send.ts';

export interface Courier {
  start(): void;
  /** Ends attempts under way; what they carried stays in the store. */
  stop(): Promise<void>;
}

const atOnce = 8;
const firstDelayMs = 500;
// A receiver that has returned is in step again within ten seconds, however long it was away.
const longestDelayMs = 5_000;

/**
 * Delivers what the store holds, at least once each: the deliveries of one user one after the other, different users
 * side by side.
 */
export function createCourier(store: Store, webhook: Webhook, logger: FastifyBaseLogger): Courier {
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  const waiting = new Map<string, { failures: number; dueAt: number }>();
  let timer: NodeJS.Timeout | undefined;

  function dispatch(): void {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    const now = Date.now();
    let nextDueAt = Number.POSITIVE_INFINITY;
    for (const delivery of firstOfEachUser(store.read().deliveries)) {
      if (underWay.size >= atOnce) return;
      if (underWay.has(delivery.userId)) continue;
      const dueAt = waiting.get(delivery.userId)?.dueAt ?? 0;
      if (dueAt > now) nextDueAt = Math.min(nextDueAt, dueAt);
      else
        underWay.set(
          delivery.userId,
          carry(delivery).finally(() => conclude(delivery.userId)),
        );
    }
    if (nextDueAt < Number.POSITIVE_INFINITY) timer = setTimeout(dispatch, nextDueAt - now);
  }

  function conclude(userId: string): void {
    underWay.delete(userId);
    dispatch();
  }

  async function carry(delivery: Delivery): Promise<void> {
    const { id, userId, type } = delivery;
    const { kind, reason } = await sendWebhook(webhook, delivery.body, stopping.signal);
    if (stopping.signal.aborted && kind === 'failed') return;
    try {
      if (kind !== 'failed') {
        await forget(id);
        waiting.delete(userId);
        if (kind === 'delivered') logger.info({ type, userId }, 'webhook delivered');
        else logger.error({ type, userId, reason }, 'webhook refused for good, dropped');
        return;
      }
      const failures = (waiting.get(userId)?.failures ?? 0) + 1;
      const delayMs = Math.min(firstDelayMs * 2 ** (failures - 1), longestDelayMs);
      waiting.set(userId, { failures, dueAt: Date.now() + delayMs });
      logger.warn({ type, userId, reason, failures, retryInMs: delayMs }, 'webhook not delivered, will be tried again');
    } catch (error) {
      waiting.set(userId, { failures: 1, dueAt: Date.now() + longestDelayMs });
      logger.error(error, 'the state could not be written');
    }
  }

  function forget(id: string): Promise<void> {
    return store.update((state) => [
      { ...state, deliveries: state.deliveries.filter((delivery) => delivery.id !== id) },
      undefined,
    ]);
  }

  return {
    start: () => {
      store.onWrite(dispatch);
      dispatch();
    },
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all(underWay.values());
    },
  };
}

function firstOfEachUser(deliveries: readonly Delivery[]): Delivery[] {
  const first = new Map<string, Delivery>();
  for (const delivery of deliveries) if (!first.has(delivery.userId)) first.set(delivery.userId, delivery);
  return [...first.values()];
}
