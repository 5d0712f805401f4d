import { signWebhook } from './sign.ts';

export interface Webhook {
  url: string;
  secret: string;
}

export type Outcome = { kind: 'delivered' | 'refused' | 'failed'; reason: string };

const attemptTimeoutMs = 15_000;
/** Client errors that the same request may well outlive: a secret or a clock put right, a busy receiver. */
const passingRefusals = new Set([401, 408, 429]);

/** One attempt. Refused means that another one would be in vain. */
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
    const final = response.status >= 400 && response.status < 500 && !passingRefusals.has(response.status);
    return { kind: final ? 'refused' : 'failed', reason };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) };
  }
}
