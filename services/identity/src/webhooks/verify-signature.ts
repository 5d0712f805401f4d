import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { defineProblem } from '@lms/service/problems';

const InvalidSignature = defineProblem('INVALID_SIGNATURE', 401, 'Invalid signature');

export interface SignatureOptions {
  keys: readonly Buffer[];
  /** Accepts signatures over the body alone. An eavesdropper can replay these at any time. */
  acceptUntimestamped: boolean;
}

export type Scheme = 'svix' | 'standard' | 'timestamped' | 'untimestamped';
export interface VerifiedSignature {
  scheme: Scheme;
  /** The number of the key that matched, counted from 1. */
  secret: number;
  /**
   * The same for every delivery of a message: the sender's id, which is signed alike in `svix-*` and `webhook-*` headers,
   * or a hash of the body if the scheme has no id.
   */
  messageId: string;
}

const toleranceSeconds = 300;
// PostgreSQL cannot index a text of several thousand bytes.
const maxIdLength = 255;
const prefixes = { svix: 'svix', standard: 'webhook' };
const headerParts = ['id', 'timestamp', 'signature'];

/** The scheme whose headers are present. */
export function schemeOf(headers: IncomingHttpHeaders): Scheme {
  for (const [scheme, prefix] of Object.entries(prefixes))
    if (headerParts.some((part) => headers[`${prefix}-${part}`] !== undefined))
      return scheme === 'svix' ? 'svix' : 'standard';
  return /(^|,)\s*t=/.test(text(headers['x-webhook-signature'])) ? 'timestamped' : 'untimestamped';
}

/**
 * Verifies the signature over the raw body with the scheme whose headers are present. Never falls back to a weaker one.
 * Svix: https://docs.svix.com/receiving/verifying-payloads/how-manual. Standard Webhooks: https://www.standardwebhooks.com.
 * @throws InvalidSignature
 */
export function verifySignature(
  options: SignatureOptions,
  headers: IncomingHttpHeaders,
  body: Buffer,
  now = Date.now(),
): VerifiedSignature {
  const scheme = schemeOf(headers);
  if (scheme === 'svix' || scheme === 'standard') {
    const [id = '', timestamp = '', signature = ''] = headerParts.map((part) =>
      text(headers[`${prefixes[scheme]}-${part}`]),
    );
    const secret = id.length > 0 ? verifyStandard(options, id, timestamp, signature, body, now) : 0;
    return requireMatch(secret, scheme, `id:${id.length > maxIdLength ? hashOf(id) : id}`);
  }
  const signature = text(headers['x-webhook-signature']);
  const messageId = hashOf(body);
  if (scheme === 'timestamped')
    return requireMatch(verifyTimestamped(options, signature, body, now), scheme, messageId);
  return requireMatch(
    options.acceptUntimestamped ? verifyUntimestamped(options, signature, body) : 0,
    scheme,
    messageId,
  );
}

function requireMatch(secret: number, scheme: Scheme, messageId: string): VerifiedSignature {
  if (secret === 0) throw new InvalidSignature();
  return { scheme, secret, messageId };
}

const hashOf = (content: string | Buffer) => `sha256:${createHash('sha256').update(content).digest('base64url')}`;

const text = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '');

/** `v1,<base64 HMAC-SHA256(id.timestamp.body)>`, or several, separated by spaces. */
function verifyStandard(
  options: SignatureOptions,
  id: string,
  timestamp: string,
  signature: string,
  body: Buffer,
  now: number,
) {
  if (!isRecent(timestamp, now)) return 0;
  const given = signature.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? Buffer.from(entry.slice(3)) : []));
  const expected = macs(options, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]));
  return matches(
    given,
    expected.map((mac) => Buffer.from(mac.toString('base64'))),
  );
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256(t.body)>`, with one or more `v1`. */
function verifyTimestamped(options: SignatureOptions, signature: string, body: Buffer, now: number) {
  const entries = signature.split(',').map((part) => part.trim());
  const [timestamp = '', ...more] = entries.flatMap((part) => (part.startsWith('t=') ? part.slice(2) : []));
  if (more.length > 0 || !isRecent(timestamp, now)) return 0;
  const given = entries.flatMap((part) => (part.startsWith('v1=') ? hex(part.slice(3)) : []));
  return matches(given, macs(options, Buffer.concat([Buffer.from(`${timestamp}.`), body])));
}

/** `sha256=<hex HMAC-SHA256(body)>` as GitHub sends it, or bare hex, or base64. */
function verifyUntimestamped(options: SignatureOptions, signature: string, body: Buffer) {
  const given = signature.startsWith('sha256=') ? hex(signature.slice(7)) : [...hex(signature), ...base64(signature)];
  return matches(given, macs(options, body));
}

const isRecent = (timestamp: string, now: number) =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(now / 1_000) - Number(timestamp)) <= toleranceSeconds;

const hex = (digits: string) => (/^[0-9a-f]{64}$/i.test(digits) ? [Buffer.from(digits, 'hex')] : []);
const base64 = (text: string) => (/^[A-Za-z0-9+/]{43}=$/.test(text) ? [Buffer.from(text, 'base64')] : []);

const macs = ({ keys }: SignatureOptions, content: Buffer) =>
  keys.map((key) => createHmac('sha256', key).update(content).digest());

/** The number, counted from 1, of the first expected signature among the given ones; 0 if there is none. */
const matches = (given: readonly Buffer[], expected: readonly Buffer[]) =>
  1 + expected.findIndex((one) => given.some((other) => one.length === other.length && timingSafeEqual(one, other)));
