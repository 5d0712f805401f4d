import type { IncomingMessage } from 'node:http';
import { InvalidToken } from '@lms/server/problems';
import { count } from '../entry/framing-gate.ts';

const longestToken = 8 * 1_024;
const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * The token of a request; undefined when it carries none.
 * @throws a 401 for an `Authorization` that is doubled or no bearer token at all
 */
export function readBearer({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined || token.length > longestToken || count(rawHeaders, 'authorization') > 1)
    throw new InvalidToken();
  return token;
}
