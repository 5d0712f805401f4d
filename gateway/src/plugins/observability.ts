import { recordRequestMetrics } from '@lms/service/request-metrics';
import { traceRequests } from '@lms/service/trace-requests';
import { tracing } from '@lms/telemetry/tracing';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Options } from '../options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    requestsInFlight: () => number;
  }
}

const upstream = {
  name: 'upstream',
  valueOf: ({ policy }: FastifyRequest) => policy.service ?? 'gateway',
};

/** Records the duration of every request, logs it in one line, and traces it if traces are recorded. */
export const observability = fp(async (app, { requestLogger, registry }: Options) => {
  app.decorate('requestsInFlight', recordRequestMetrics(app, registry, upstream));
  if (tracing()) traceRequests(app, { trustsCallers: false });

  app.addHook('onRequest', (request, { raw }, done) => {
    const startedAt = performance.now();
    const traceparent = tracing()?.activeSpan()?.traceparent;
    // Not onResponse, which is not called when the client disconnects.
    raw.on('close', () => {
      // Never a token, a signature, an e-mail or a query string.
      const line = {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: raw.headersSent ? raw.statusCode : undefined,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        userId: request.principal?.userId,
        ...(traceparent && { traceId: traceparent.split('-')[1] }),
        ...(!raw.writableFinished && { broken: true }),
      };
      requestLogger.info(line, 'request');
    });
    done();
  });
});
