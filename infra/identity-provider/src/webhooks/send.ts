import { createHmac } from 'node:crypto';

export interface Webhook {
  url: string;
  secret: string;
}

export type Outcome = { kind: 'delivered' | 'rejected' | 'failed'; reason: string };

const attemptTimeoutMs = 15_000;
/** Client errors that may be temporary: a wrong secret or clock, or a busy receiver. */
const retriedStatuses = new Set([401, 408, 429]);
const base64Prefix = 'whsec_';

/** Makes one attempt. `rejected` means that a retry would fail as well. */
export async function sendWebhook({ url, secret }: Webhook, body: string, stopped: AbortSignal): Promise<Outcome> {
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
