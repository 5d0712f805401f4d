import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { InvalidSignature } from './errors.ts';

export interface SignatureOptions {
  keys: readonly Buffer[];
  /** Whether a signature over the body alone counts, which a listener could replay for ever. */
  acceptUntimestamped: boolean;
}

export type Scheme = 'svix' | 'standard' | 'timestamped' | 'untimestamped';
export interface VerifiedSignature {
  scheme: Scheme;
  /** Which of the keys it is signed with, from 1. */
  secret: number;
  /**
   * Equal for every delivery of one message: the sender's id, whose signature is the same under `svix-*` and `webhook-*`
   * headers, or a hash of the body where the scheme has no id.
   */
  messageId: string;
}

const toleranceSeconds = 300;
// Postgres refuses to index a text of some thousand bytes.
const maxIdLength = 255;
const prefixes = { svix: 'svix', standard: 'webhook' };
const headerParts = ['id', 'timestamp', 'signature'];

/** The scheme whose headers are there. */
export function schemeOf(headers: IncomingHttpHeaders): Scheme {
  for (const [scheme, prefix] of Object.entries(prefixes))
    if (headerParts.some((part) => headers[`${prefix}-${part}`] !== undefined))
      return scheme === 'svix' ? 'svix' : 'standard';
  return /(^|,)\s*t=/.test(text(headers['x-webhook-signature'])) ? 'timestamped' : 'untimestamped';
}

/**
 * Verifies a webhook over its raw bytes, by the scheme whose headers are there; where that fails, no weaker one is tried.
 * Svix: https://docs.svix.com/receiving/verifying-payloads/how-manual. Standard Webhooks: https://www.standardwebhooks.com.
 * @throws InvalidSignature
 */
export function verifySignature(
  trust: SignatureOptions,
  headers: IncomingHttpHeaders,
  body: Buffer,
  now = Date.now(),
): VerifiedSignature {
  const scheme = schemeOf(headers);
  if (scheme === 'svix' || scheme === 'standard') {
    const [id = '', timestamp = '', signature = ''] = headerParts.map((part) =>
      text(headers[`${prefixes[scheme]}-${part}`]),
    );
    const secret = id.length > 0 ? verifyStandard(trust, id, timestamp, signature, body, now) : 0;
    return requireMatch(secret, scheme, `id:${id.length > maxIdLength ? hashOf(id) : id}`);
  }
  const signature = text(headers['x-webhook-signature']);
  const messageId = hashOf(body);
  if (scheme === 'timestamped') return requireMatch(verifyTimestamped(trust, signature, body, now), scheme, messageId);
  return requireMatch(trust.acceptUntimestamped ? verifyUntimestamped(trust, signature, body) : 0, scheme, messageId);
}

function requireMatch(secret: number, scheme: Scheme, messageId: string): VerifiedSignature {
  if (secret === 0) throw new InvalidSignature();
  return { scheme, secret, messageId };
}

const hashOf = (content: string | Buffer) => `sha256:${createHash('sha256').update(content).digest('base64url')}`;

const text = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '');

/** `v1,<base64 HMAC-SHA256(id.timestamp.body)>`, several separated by spaces. */
function verifyStandard(
  trust: SignatureOptions,
  id: string,
  timestamp: string,
  signature: string,
  body: Buffer,
  now: number,
) {
  if (!isRecent(timestamp, now)) return 0;
  const given = signature.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? Buffer.from(entry.slice(3)) : []));
  const expected = macs(trust, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]));
  return matches(
    given,
    expected.map((mac) => Buffer.from(mac.toString('base64'))),
  );
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256(t.body)>`, several `v1` allowed. */
function verifyTimestamped(trust: SignatureOptions, signature: string, body: Buffer, now: number) {
  const entries = signature.split(',').map((part) => part.trim());
  const [timestamp = '', ...more] = entries.flatMap((part) => (part.startsWith('t=') ? part.slice(2) : []));
  if (more.length > 0 || !isRecent(timestamp, now)) return 0;
  const given = entries.flatMap((part) => (part.startsWith('v1=') ? hex(part.slice(3)) : []));
  return matches(given, macs(trust, Buffer.concat([Buffer.from(`${timestamp}.`), body])));
}

/** `sha256=<hex HMAC-SHA256(body)>`, as GitHub sends, or the hex alone, or base64 alone. */
function verifyUntimestamped(trust: SignatureOptions, signature: string, body: Buffer) {
  const given = signature.startsWith('sha256=') ? hex(signature.slice(7)) : [...hex(signature), ...base64(signature)];
  return matches(given, macs(trust, body));
}

const isRecent = (timestamp: string, now: number) =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(now / 1_000) - Number(timestamp)) <= toleranceSeconds;

const hex = (digits: string) => (/^[0-9a-f]{64}$/i.test(digits) ? [Buffer.from(digits, 'hex')] : []);
const base64 = (text: string) => (/^[A-Za-z0-9+/]{43}=$/.test(text) ? [Buffer.from(text, 'base64')] : []);

const macs = ({ keys }: SignatureOptions, content: Buffer) =>
  keys.map((key) => createHmac('sha256', key).update(content).digest());

/** Which of the expected ones, from 1, is among those given; 0 when none is. */
const matches = (given: readonly Buffer[], expected: readonly Buffer[]) =>
  1 + expected.findIndex((one) => given.some((other) => one.length === other.length && timingSafeEqual(one, other)));
