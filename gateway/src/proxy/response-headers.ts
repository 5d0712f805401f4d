import type { IncomingHttpHeaders } from 'node:http';
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
]);

/** Adds to an answer's headers what an upstream said, as far as it is meant for the client. */
export function appendResponseHeaders(answer: string[], upstream: IncomingHttpHeaders) {
  const named = namedByConnection(upstream.connection);
  for (const name in upstream) {
    if (dropped.has(name) || named?.has(name) || isOurs(name)) continue;
    const value = upstream[name];
    if (typeof value === 'string') answer.push(name, value);
    else for (const one of value ?? []) answer.push(name, one);
  }
}

// Who may read an answer and how often one may ask is the gateway's to say; passports stay inside.
const isOurs = (name: string) =>
  name.startsWith('access-control-') ||
  name.startsWith('x-lms-') ||
  name.startsWith('x-ratelimit-') ||
  name.startsWith('x-quota-');
