import type { SignPassport } from '@lms/auth/sign-passport';
import { RouteNotFound } from '@lms/service/problems';
import { traceparentHeader } from '@lms/telemetry/traceparent';
import type { Exchange } from './exchange.ts';
import { forward } from './proxy/forward.ts';
import { bringsBody, checkLength, passBody } from './proxy/request-body.ts';
import { requestHeaders } from './proxy/request-headers.ts';
import type { Upstream } from './proxy/upstream.ts';
import type { PublicReads } from './reads/public-reads.ts';
import type { Route, Upstream as UpstreamName } from './routing/route.ts';
import { traceCall } from './trace-exchange.ts';

export interface ReplyParts {
  signPassport: SignPassport;
  publicUrl: URL;
  upstreams: Record<UpstreamName, Upstream>;
  reads: PublicReads;
  /** The gateway's own answers, by path. */
  own: Record<string, (exchange: Exchange) => unknown>;
}

const headersTimeoutMs = 10_000;
// After the last byte of a long upload its service has yet to close the object and ask the topic's owner.
const uploadHeadersTimeoutMs = 60_000;
const idleMs = 30_000;
const jsonBodyMs = 30_000;

/** Has a request answered by whoever the routing table names: a service, memory, or the gateway itself. */
export function createReply({ signPassport, publicUrl, upstreams, reads, own }: ReplyParts) {
  async function passOn(exchange: Exchange, route: Route, upstream: UpstreamName, address: string) {
    const { incoming, outgoing, principal, requestId } = exchange;
    const isUpload = route.limit === 'upload';
    const hasBody = bringsBody(incoming);
    if (hasBody) checkLength(incoming, route.maxBodyBytes);
    const passport = principal ? signPassport({ principal, requestId }) : undefined;
    if (hasBody && incoming.headers.expect !== undefined) outgoing.writeContinue();
    const limits = {
      maxBytes: route.maxBodyBytes,
      totalMs: isUpload ? Number.POSITIVE_INFINITY : jsonBodyMs,
      idleMs,
    };
    const call = exchange.trace && traceCall(upstream, incoming.method);
    const passed = forward(exchange, upstreams[upstream], {
      headers: requestHeaders(exchange, { address, passport, publicUrl, hasBody, traceparent: call?.traceparent }),
      body: hasBody ? passBody(incoming, limits) : undefined,
      headersTimeoutMs: isUpload ? uploadHeadersTimeoutMs : headersTimeoutMs,
      bodyTimeoutMs: idleMs,
    });
    if (call) passed.then(() => call.end(), call.end);
    await passed;
    // Who has just changed something sees it at once; everybody else when content's event arrives. Playback changes nothing.
    const isWrite = route.method !== 'GET' && !route.path.endsWith('/playback');
    if (isWrite && outgoing.statusCode < 300 && (upstream === 'content' || upstream === 'media')) reads.drop();
  }

  return async (exchange: Exchange, route: Route, address: string) => {
    if (exchange.outgoing.destroyed) return;
    if (route.upstream === 'gateway') {
      const answer = own[route.path];
      if (!answer) throw new RouteNotFound();
      return answer(exchange);
    }
    if (route.cacheable && exchange.principal === null) {
      const headers = () => readHeaders(exchange, address, publicUrl);
      if (await reads.answer(exchange, headers)) return;
    }
    return passOn(exchange, route, route.upstream, address);
  };
}

/** What content is told of a read that many may share: nothing of the one who happened to be first but their request's id. */
const readHeaders = ({ requestId, trace }: Exchange, address: string, publicUrl: URL) => [
  'x-request-id',
  requestId,
  'accept',
  'application/json',
  'x-forwarded-for',
  address,
  'x-forwarded-proto',
  publicUrl.protocol.slice(0, -1),
  'x-forwarded-host',
  publicUrl.host,
  ...(trace ? [traceparentHeader, trace.traceparent] : []),
];
