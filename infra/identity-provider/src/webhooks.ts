import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createDelivery, type Delivery, type Store } from './store.ts';

export interface Webhook {
  url: string;
  secret: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

// A receiver that is back has the latest state within ten seconds, however long it was down.
const maxDelayMs = 5_000;
/** Client errors that may be temporary: a wrong secret or clock, or a busy receiver. */
const retriedStatuses = [401, 408, 429];

/**
 * Sends the stored deliveries at least once: those of one user in order, those of different users concurrently. Without a
 * webhook they stay in the store.
 */
export function createWebhooks(store: Store, webhook: Webhook | undefined, logger: FastifyBaseLogger) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { deliveries } = store.state;
  /** The latest delivery of each user. */
  const latest = new Map<string, Promise<void>>();

  function enqueue(delivery: Delivery): void {
    if (!webhook) return;
    const earlier = latest.get(delivery.userId) ?? Promise.resolve();
    const sent = earlier.then(() => deliver(webhook, delivery));
    latest.set(delivery.userId, sent);
  }

  async function deliver(to: Webhook, delivery: Delivery): Promise<void> {
    const { type, userId, body } = delivery;
    for (let retryInMs = 500; !signal.aborted; retryInMs = Math.min(retryInMs * 2, maxDelayMs)) {
      const { status, reason } = await sendWebhook(to, body, signal);
      const isRejected = status >= 400 && status < 500 && !retriedStatuses.includes(status);
      if (isRejected || (status >= 200 && status < 300)) {
        if (isRejected) logger.error({ type, userId, reason }, 'webhook rejected, dropped');
        else logger.info({ type, userId }, 'webhook delivered');
        deliveries.splice(deliveries.indexOf(delivery), 1);
        return store.save();
      }
      logger.warn({ type, userId, reason, retryInMs }, 'webhook failed, retrying');
      await pause(retryInMs, undefined, { signal }).catch(() => {});
    }
  }

  // What an earlier process has left.
  deliveries.forEach(enqueue);
  return {
    /** Saves the state together with a delivery, and sends it. */
    publish(type: string, userId: string, data: object): void {
      const delivery = createDelivery(type, userId, data);
      deliveries.push(delivery);
      store.save();
      enqueue(delivery);
    },
    /** Aborts running attempts; their deliveries stay in the store. */
    stop: () => stopping.abort(),
  };
}

/** Makes one attempt. The status is 0 if there was no response. */
const sendWebhook = ({ url, secret }: Webhook, body: string, stop: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'x-webhook-signature': signWebhook(secret, body) },
    body,
    signal: AbortSignal.any([stop, AbortSignal.timeout(15_000)]),
  }).then(
    async ({ status, body: response }) => {
      await response?.cancel();
      return { status, reason: `HTTP ${status}` };
    },
    (error) => ({ status: 0, reason: String(error.cause ?? error) }),
  );

/** The value of `X-Webhook-Signature`: `t=<unix seconds>,v1=<hex HMAC-SHA256 over "t.body">`. */
export function signWebhook(secret: string, body: string, unixSeconds = Math.floor(Date.now() / 1_000)): string {
  const [, base64] = /^whsec_(.*)/.exec(secret) ?? [];
  const key = base64 ? Buffer.from(base64, 'base64') : secret;
  return `t=${unixSeconds},v1=${createHmac('sha256', key).update(`${unixSeconds}.${body}`).digest('hex')}`;
}
