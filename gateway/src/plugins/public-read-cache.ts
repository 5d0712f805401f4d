import type { IncomingHttpHeaders } from 'node:http';
import { subscribe } from '@lms/events/subscribe';
import { matchesEtag } from '@lms/service/etags';
import { requestIdHeader } from '@lms/service/request-id';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Options } from '../config.ts';
import { forwardResponseHeaders } from './proxy.ts';
import { toProblem } from './upstreams.ts';

/** A response that is the same for all anonymous requests. */
interface Read {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined if it is too long for the cache: then each request is forwarded. */
  body: Buffer | undefined;
}

// Content's events clear the cache; this limits the age of a response if none arrive.
const lifetimeMs = 5_000;
const maxBytes = 1_024 * 1_024;
const maxBytesOfAll = 64 * 1_024 * 1_024;
const maxUrlLength = 2_048;
const total = { name: 'gateway_reads_total', help: 'Public reads, by source', labels: ['from'] };

/** Caches responses to anonymous reads of content for seconds. Concurrent misses share one request to content. */
export const publicReadCache = fp(async (app, { registry }: Options) => {
  const count = createCounter(registry, total);
  const cached = new LRUCache<string, Read, FastifyRequest>({
    ttl: lifetimeMs,
    maxSize: maxBytesOfAll,
    sizeCalculation: ({ body }) => (body?.length ?? 0) + 1_024,
    fetchMethod: (_url, _stale, { context }) => requestRead(context),
    // Requests that wait for a response while the cache is cleared still get it; it is not cached.
    ignoreFetchAbort: true,
  });

  app.addHook('preHandler', (request, reply, done) => {
    const { url, principal, policy } = request;
    if (!policy.isCacheable || principal || url.length > maxUrlLength) return done();
    const use = (read: Read) => {
      // An error is shared only by the requests that wait for it.
      if (read.status !== 200) cached.delete(url);
      if (read.body === undefined) done();
      else sendRead(read, request, reply);
    };
    const known = cached.get(url);
    if (known) {
      count({ from: 'cached' });
      return use(known);
    }
    const status: LRUCache.Status<string, Read, FastifyRequest> = {};
    const read = cached.forceFetch(url, { context: request, status });
    count({ from: status.fetch === 'inflight' ? 'shared' : 'fetched' });
    read
      .then(use, (error: unknown) => reply.send(toProblem(error, 'content')))
      .catch((error: unknown) => reply.send(error));
  });

  async function requestRead({ id, url }: FastifyRequest): Promise<Read> {
    // The response is shared, so nothing but the id of the first request is sent.
    const headers = { [requestIdHeader]: id, accept: 'application/json' };
    const response = await app.upstreams.content.fetch({ path: url, method: 'GET', headers });
    const body = await readAll(response.body);
    return { status: response.statusCode, headers: forwardResponseHeaders(response.headers), body };
  }

  // A change through this gateway is visible at once, any other when content's event arrives.
  app.addHook('onSend', ({ policy }, reply, payload, done) => {
    if (policy.changesContent && reply.statusCode < 300) cached.clear();
    done(null, payload);
  });
  const clear = () => cached.clear();
  void subscribe({ bus: app.events, subject: 'lms.content.>', onEvent: clear, onGap: clear });
});

async function readAll(body: AsyncIterable<Buffer> | Buffer): Promise<Buffer | undefined> {
  if (Buffer.isBuffer(body)) return body;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) return undefined;
  }
  return Buffer.concat(chunks);
}

function sendRead({ status, headers, body = Buffer.alloc(0) }: Read, request: FastifyRequest, reply: FastifyReply) {
  if (status !== 200) {
    // An error has the id of this request.
    if (headers['retry-after']) reply.header('retry-after', headers['retry-after']);
    return reply.code(status).send({ ...JSON.parse(body.toString()), requestId: request.id });
  }
  reply.headers(headers);
  if (!headers.etag || !matchesEtag(request.headers['if-none-match'], headers.etag)) return reply.send(body);
  return reply.code(304).removeHeader('content-length').send();
}
