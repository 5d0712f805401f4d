import type { IncomingMessage } from 'node:http';
import { InvalidToken } from '@lms/service/problems';
import { count } from '../entry/framing-gate.ts';

const longestToken = 8 * 1_024;
const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** The token of a request; undefined when it carries none, or nothing that could be one. */
export function findBearer({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const { authorization } = headers;
  const token = authorization && bearer.exec(authorization)?.[1];
  return token && token.length <= longestToken && count(rawHeaders, 'authorization') === 1 ? token : undefined;
}

/**
 * The token of a request; undefined when it carries none.
 * @throws a 401 for an `Authorization` that is doubled or no bearer token at all
 */
export function readBearer(incoming: IncomingMessage): string | undefined {
  if (incoming.headers.authorization === undefined) return undefined;
  const token = findBearer(incoming);
  if (token === undefined) throw new InvalidToken();
  return token;
}
