import type { IncomingHttpHeaders } from 'node:http';
import { unavailable } from '@lms/service/problems';
import { isReset, isUpstreamFailure, toProblem } from './failures.ts';
import type { Upstream } from './upstream.ts';

export interface Whole {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const headersTimeoutMs = 10_000;
const bodyTimeoutMs = 10_000;

/**
 * Gets an answer of limited length into memory.
 * @returns undefined when it is longer than `maxBytes`
 * @throws a 503 or 504
 */
export async function fetchWhole(
  upstream: Upstream,
  path: string,
  headers: string[],
  maxBytes: number,
): Promise<Whole | undefined> {
  const { breaker, name } = upstream;
  if (!breaker.admits()) throw unavailable();
  const get = () => read(upstream, path, headers, maxBytes);
  try {
    return await get().catch((error: unknown) => {
      if (!isReset(error)) throw error;
      return get();
    });
  } catch (error) {
    if (isUpstreamFailure(error)) breaker.failed();
    else breaker.abandoned();
    throw toProblem(error, name);
  }
}

async function read({ pool, breaker }: Upstream, path: string, headers: string[], maxBytes: number) {
  const answer = await pool.request({
    path,
    method: 'GET',
    headers,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
  });
  breaker.succeeded();
  const chunks: Buffer[] = [];
  let size = Number(answer.headers['content-length'] ?? 0);
  if (size <= maxBytes) {
    size = 0;
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) break;
    }
  }
  if (size <= maxBytes) return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
  answer.body.on('error', () => undefined).destroy();
  return undefined;
}
