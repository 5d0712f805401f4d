import { createHmac } from 'node:crypto';

const base64Prefix = 'whsec_';

/** The value of `X-Webhook-Signature`: `t=<unix seconds>,v1=<hex HMAC-SHA256 over "t.body">`. */
export function signWebhook(secret: string, body: string, unixSeconds: number): string {
  const digest = createHmac('sha256', readKey(secret)).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${digest}`;
}

function readKey(secret: string): Buffer {
  if (secret.startsWith(base64Prefix)) return Buffer.from(secret.slice(base64Prefix.length), 'base64');
  return Buffer.from(secret, 'utf8');
}
