import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { matchesEtag } from '@lms/service/etags';
import { requestIdHeader } from '@lms/service/request-id';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyReply, FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { forwardResponseHeaders } from '../headers.ts';
import type { Options } from '../options.ts';
import { toProblem } from '../upstream.ts';

/** A response that is the same for all anonymous requests. */
interface Read {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer | string;
}

// Content's events clear the cache; this limits the age of a response if none arrive.
const lifetimeMs = 5_000;
const maxBytes = 1_024 * 1_024;
const maxBytesOfAll = 64 * 1_024 * 1_024;
const maxUrlLength = 2_048;
const total = { name: 'gateway_reads_total', help: 'Public reads, by source', labels: ['from'] };

/**
 * Caches responses to anonymous reads of content for seconds. Concurrent misses share one request to content. Its errors
 * are shared by the waiting requests, and not cached.
 */
export const publicReadCache = fp(async (app, { registry }: Options) => {
  const count = createCounter(registry, total);
  const tooLong = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  const cached = new LRUCache<string, Read, FastifyRequest>({
    ttl: lifetimeMs,
    maxSize: maxBytesOfAll,
    sizeCalculation: ({ body }) => body.length + 1_024,
    fetchMethod: (_url, _stale, { context }) => requestRead(context),
    // Requests that wait for a response while the cache is cleared still get it; it is not cached.
    ignoreFetchAbort: true,
  });

  const respond: preHandlerHookHandler = (request, reply, done) => {
    const { url } = request;
    if (request.principal || url.length > maxUrlLength || tooLong.has(url)) return done();
    const known = cached.get(url);
    if (known) {
      count({ from: 'cached' });
      return void sendRead(known, request, reply);
    }
    const status: LRUCache.Status<string, Read, FastifyRequest> = {};
    const read = cached.forceFetch(url, { context: request, status });
    count({ from: status.fetch === 'inflight' ? 'shared' : 'fetched' });
    read
      .then(
        (read) => sendRead(read, request, reply),
        (error: unknown) => {
          if (!(error instanceof NotCached)) reply.send(toProblem(error, 'content'));
          else if (error.read) sendFailure(error.read, request, reply);
          else done();
        },
      )
      .catch((error: unknown) => reply.send(error));
  };

  async function requestRead({ id, url }: FastifyRequest): Promise<Read> {
    // The response is shared, so nothing but the id of the first request is sent.
    const headers = { [requestIdHeader]: id, accept: 'application/json' };
    const response = await app.upstreams.content.fetch({ path: url, method: 'GET', headers });
    const { statusCode: status, body } = response;
    const read = {
      status,
      headers: forwardResponseHeaders(response.headers),
      body: body instanceof Readable ? await readAll(body, url) : body,
    };
    if (status !== 200) throw new NotCached(read);
    return read;
  }

  async function readAll(body: Readable, url: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) continue;
      tooLong.set(url, true);
      throw new NotCached();
    }
    return Buffer.concat(chunks);
  }

  // A change through this gateway is visible at once, any other when content's event arrives.
  const clearAfterChange: onSendHookHandler = (_request, reply, payload, done) => {
    if (reply.statusCode < 300) cached.clear();
    done(null, payload);
  };

  app.addHook('onRoute', (route) => {
    if (route.config?.isCacheable) route.preHandler = [respond, ...[route.preHandler ?? []].flat()];
    if (route.config?.changesContent) route.onSend = [clearAfterChange, ...[route.onSend ?? []].flat()];
  });
  app.events.subscribe({ subject: 'lms.content.>', onEvent: () => cached.clear(), onGap: () => cached.clear() });
});

/** Thrown with an error response, which the waiting requests share, or without one if each request has to be forwarded. */
class NotCached extends Error {
  read: Read | undefined;
  constructor(read?: Read) {
    super('not cached');
    this.read = read;
  }
}

function sendRead({ headers, body }: Read, request: FastifyRequest, reply: FastifyReply) {
  reply.headers(headers);
  if (!headers.etag || !matchesEtag(request.headers['if-none-match'], headers.etag)) return reply.send(body);
  return reply.code(304).removeHeader('content-length').send();
}

/** Sends an error response of content with the id of this request. */
function sendFailure({ status, headers, body }: Read, { id }: FastifyRequest, reply: FastifyReply) {
  if (headers['retry-after']) reply.header('retry-after', headers['retry-after']);
  return reply.code(status).send({ ...JSON.parse(body.toString()), requestId: id });
}
