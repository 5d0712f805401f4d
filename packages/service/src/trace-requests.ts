import type { Span } from '@lms/telemetry/spans';
import { readTraceparent, traceparentHeader } from '@lms/telemetry/traceparent';
import { tracing } from '@lms/telemetry/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Records every request as a span. If callers are trusted, the span continues their trace; otherwise it starts a new trace
 * with a link to theirs, so that clients can neither force recording nor add to existing traces.
 */
export function traceRequests(app: FastifyInstance, { trustsCallers = true } = {}) {
  const spans = new WeakMap<FastifyRequest, Span>();

  app.addHook('onRequest', (request, { raw }, done) => {
    const { method, headers, id } = request;
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const span = tracing()?.startSpan(`${method} ${route}`, {
      kind: 'server',
      parent: (trustsCallers && readTraceparent(headers[traceparentHeader])) || null,
      link: trustsCallers ? undefined : readTraceparent(headers[traceparentHeader]),
      attributes: { 'http.request.method': method, 'http.route': route, 'lms.request_id': id },
    });
    if (!span) return done();
    spans.set(request, span);
    raw.once('close', () => {
      span.set({ 'http.response.status_code': raw.statusCode });
      span.end(raw.statusCode >= 500 ? raw.statusCode : undefined);
    });
    span.run(done);
  });
  // Reading the body loses the async context, so the span is activated again.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
