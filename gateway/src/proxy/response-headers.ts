import type { IncomingHttpHeaders } from 'node:http';
import { strictPolicy } from '../entry/security-headers.ts';
import { namedByConnection } from './request-headers.ts';

const dropped = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'server',
  'via',
  'x-powered-by',
  'x-request-id',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'strict-transport-security',
]);

/**
 * Adds to an answer's headers what an upstream said, as far as it is meant for the client.
 * @param isPersonal whether the answer was made for one caller
 */
export function appendResponseHeaders(answer: string[], upstream: IncomingHttpHeaders, isPersonal: boolean) {
  const named = namedByConnection(upstream.connection);
  for (const name in upstream) {
    if (dropped.has(name) || named?.has(name) || isOurs(name)) continue;
    const value = upstream[name];
    if (typeof value === 'string') answer.push(name, value);
    else for (const one of value ?? []) answer.push(name, one);
  }
  if (upstream['cache-control'] === undefined)
    answer.push('cache-control', isPersonal ? 'private, no-cache' : 'no-cache');
  if (upstream['content-security-policy'] === undefined) answer.push('content-security-policy', strictPolicy);
}

// Who may read an answer and how often one may ask is the gateway's to say; passports stay inside.
const isOurs = (name: string) =>
  name.startsWith('access-control-') ||
  name.startsWith('x-lms-') ||
  name.startsWith('x-ratelimit-') ||
  name.startsWith('x-quota-');
