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

/** For every request a duration in the metrics, a line in the log and, where traces are recorded, a trace. */
export const observability = fp(async (app, { requestLogger, registry }: Options) => {
  app.decorate('requestsInFlight', recordRequestMetrics(app, registry, upstream));
  if (tracing()) traceRequests(app, { trustsCallers: false });

  app.addHook('onRequest', (request, { raw }, done) => {
    const startedAt = performance.now();
    const traceparent = tracing()?.activeSpan()?.traceparent;
    // Not onResponse: a client that leaves early is worth a line as well.
    raw.on('close', () => {
      // What an operator asks for first; never a token, a signature, an e-mail or a query.
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
