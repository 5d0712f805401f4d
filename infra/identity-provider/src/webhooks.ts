import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import type { Store } from './store.ts';

export interface Webhook {
  url: string;
  secret: string;
}

const attemptTimeoutMs = 15_000;
/** Client errors that may be temporary: a wrong secret or clock, or a busy receiver. */
const retriedStatuses = new Set([401, 408, 429]);
const base64Prefix = 'whsec_';
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
    store.update((draft) => {
      draft.deliveries = draft.deliveries.filter((stored) => stored.id !== id);
    });

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

type Outcome = { kind: 'delivered' | 'rejected' | 'failed'; reason: string };

/** Makes one attempt. `rejected` means that a retry would fail as well. */
async function sendWebhook({ url, secret }: Webhook, body: string, stopped: AbortSignal): Promise<Outcome> {
  const now = Math.floor(Date.now() / 1000);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', 'x-webhook-signature': signWebhook(secret, body, now) },
      body,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(attemptTimeoutMs)]),
    });
    await response.body?.cancel();
    const reason = `HTTP ${response.status}`;
    if (response.ok) return { kind: 'delivered', reason };
    const isFinal = response.status >= 400 && response.status < 500 && !retriedStatuses.has(response.status);
    return { kind: isFinal ? 'rejected' : 'failed', reason };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** The value of `X-Webhook-Signature`: `t=<unix seconds>,v1=<hex HMAC-SHA256 over "t.body">`. */
export function signWebhook(secret: string, body: string, unixSeconds: number): string {
  const key = secret.startsWith(base64Prefix) ? Buffer.from(secret.slice(base64Prefix.length), 'base64') : secret;
  return `t=${unixSeconds},v1=${createHmac('sha256', key).update(`${unixSeconds}.${body}`).digest('hex')}`;
}
