import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { InvalidSignature } from './errors.ts';

export interface Trust {
  keys: readonly Buffer[];
  /** Whether a signature over the body alone counts, which a listener could replay for ever. */
  acceptUntimestamped: boolean;
}

export type Scheme = 'svix' | 'standard' | 'timestamped' | 'untimestamped';
export interface Verified {
  scheme: Scheme;
  /** The sender's id of the message, else a hash of its body: equal for every delivery of one message. */
  messageId: string;
}

const toleranceSeconds = 300;

/**
 * Verifies a webhook over its raw bytes, by the scheme whose headers are there; where that fails, no weaker one is tried.
 * Svix: https://docs.svix.com/receiving/verifying-payloads/how-manual. Standard Webhooks: https://www.standardwebhooks.com.
 * @throws InvalidSignature
 */
export function verifySignature(trust: Trust, headers: IncomingHttpHeaders, body: Buffer, now = Date.now()): Verified {
  for (const [scheme, prefix] of [
    ['svix', 'svix'],
    ['standard', 'webhook'],
  ] as const) {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((part) => headers[`${prefix}-${part}`]);
    if (id === undefined && timestamp === undefined && signature === undefined) continue;
    const isGenuine =
      text(id).length > 0 && verifyStandard(trust, text(id), text(timestamp), text(signature), body, now);
    return admit(isGenuine, scheme, `${scheme}:${text(id)}`);
  }
  const signature = text(headers['x-webhook-signature']);
  const messageId = `sha256:${createHash('sha256').update(body).digest('base64url')}`;
  const isTimestamped = /(^|,)\s*t=/.test(signature);
  if (isTimestamped) return admit(verifyTimestamped(trust, signature, body, now), 'timestamped', messageId);
  return admit(trust.acceptUntimestamped && verifyBare(trust, signature, body), 'untimestamped', messageId);
}

function admit(isGenuine: boolean, scheme: Scheme, messageId: string): Verified {
  if (!isGenuine) throw new InvalidSignature();
  return { scheme, messageId };
}

const text = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '');

/** `v1,<base64 HMAC-SHA256(id.timestamp.body)>`, several separated by spaces. */
function verifyStandard(trust: Trust, id: string, timestamp: string, signature: string, body: Buffer, now: number) {
  if (!isTimely(timestamp, now)) return false;
  const given = signature.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? Buffer.from(entry.slice(3)) : []));
  const expected = macs(trust, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]));
  return matches(
    given,
    expected.map((mac) => Buffer.from(mac.toString('base64'))),
  );
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256(t.body)>`, several `v1` allowed. */
function verifyTimestamped(trust: Trust, signature: string, body: Buffer, now: number) {
  const parts = signature.split(',').map((part) => part.trim());
  const [timestamp = '', ...more] = parts.flatMap((part) => (part.startsWith('t=') ? part.slice(2) : []));
  if (more.length > 0 || !isTimely(timestamp, now)) return false;
  const given = parts.flatMap((part) => (part.startsWith('v1=') ? hex(part.slice(3)) : []));
  return matches(given, macs(trust, Buffer.concat([Buffer.from(`${timestamp}.`), body])));
}

/** `sha256=<hex HMAC-SHA256(body)>`, as GitHub sends, or the hex alone. */
const verifyBare = (trust: Trust, signature: string, body: Buffer) =>
  matches(hex(signature.startsWith('sha256=') ? signature.slice(7) : signature), macs(trust, body));

const isTimely = (timestamp: string, now: number) =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(now / 1_000) - Number(timestamp)) <= toleranceSeconds;

const hex = (digits: string) => (/^[0-9a-f]{64}$/i.test(digits) ? [Buffer.from(digits, 'hex')] : []);

const macs = ({ keys }: Trust, content: Buffer) =>
  keys.map((key) => createHmac('sha256', key).update(content).digest());

const matches = (given: readonly Buffer[], expected: readonly Buffer[]) =>
  given.some((one) => expected.some((other) => one.length === other.length && timingSafeEqual(one, other)));
