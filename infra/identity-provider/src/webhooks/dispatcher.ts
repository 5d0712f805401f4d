import type { FastifyBaseLogger } from 'fastify';
import type { Delivery } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { sendWebhook, type Webhook } from './send.ts';

export interface Dispatcher {
  start(): void;
  /** Aborts running attempts; their deliveries stay in the store. */
  stop(): Promise<void>;
}

const maxConcurrent = 8;
const firstDelayMs = 500;
// A receiver that is back has the latest state within ten seconds, however long it was down.
const maxDelayMs = 5_000;

/** Sends the stored deliveries at least once: those of one user in order, those of different users concurrently. */
export function createDispatcher(store: Store, webhook: Webhook, logger: FastifyBaseLogger): Dispatcher {
  const controller = new AbortController();
  const running = new Map<string, Promise<void>>();
  const retries = new Map<string, { failures: number; dueAt: number }>();
  let timer: NodeJS.Timeout | undefined;

  function dispatch(): void {
    clearTimeout(timer);
    if (controller.signal.aborted) return;
    const now = Date.now();
    let nextDueAt = Number.POSITIVE_INFINITY;
    for (const delivery of firstOfEachUser(store.read().deliveries)) {
      if (running.size >= maxConcurrent) return;
      if (running.has(delivery.userId)) continue;
      const dueAt = retries.get(delivery.userId)?.dueAt ?? 0;
      if (dueAt > now) nextDueAt = Math.min(nextDueAt, dueAt);
      else
        running.set(
          delivery.userId,
          deliver(delivery).finally(() => finish(delivery.userId)),
        );
    }
    if (nextDueAt < Number.POSITIVE_INFINITY) timer = setTimeout(dispatch, nextDueAt - now);
  }

  function finish(userId: string): void {
    running.delete(userId);
    dispatch();
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { id, userId, type } = delivery;
    const { kind, reason } = await sendWebhook(webhook, delivery.body, controller.signal);
    if (controller.signal.aborted && kind === 'failed') return;
    try {
      if (kind !== 'failed') {
        await removeDelivery(id);
        retries.delete(userId);
        if (kind === 'delivered') logger.info({ type, userId }, 'webhook delivered');
        else logger.error({ type, userId, reason }, 'webhook rejected, dropped');
        return;
      }
      const failures = (retries.get(userId)?.failures ?? 0) + 1;
      const delayMs = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
      retries.set(userId, { failures, dueAt: Date.now() + delayMs });
      logger.warn({ type, userId, reason, failures, retryInMs: delayMs }, 'webhook failed, retrying');
    } catch (error) {
      retries.set(userId, { failures: 1, dueAt: Date.now() + maxDelayMs });
      logger.error(error, 'cannot write the state');
    }
  }

  function removeDelivery(id: string): Promise<void> {
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
      controller.abort();
      clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

function firstOfEachUser(deliveries: readonly Delivery[]): Delivery[] {
  const first = new Map<string, Delivery>();
  for (const delivery of deliveries) if (!first.has(delivery.userId)) first.set(delivery.userId, delivery);
  return [...first.values()];
}
