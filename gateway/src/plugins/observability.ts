import { type OnRequestEnd, type RouteLabel, recordRequestMetrics } from '@lms/service/request-metrics';
import { traceRequests } from '@lms/service/trace-requests';
import { tracing } from '@lms/telemetry/tracing';
import fp from 'fastify-plugin';
import type { Options } from '../config.ts';

const upstream: RouteLabel = { name: 'upstream', valueOf: ({ policy }) => policy.service ?? 'gateway' };

/** Records the duration of every request, logs it in one line, and traces it if traces are recorded. */
export const observability = fp(async (app, { requestLogger, registry }: Options) => {
  // Never a token, a signature, an e-mail or a query string.
  const log: OnRequestEnd = ({ id, method, routeOptions, principal, traceId, errorCode }, { raw }, durationMs) =>
    requestLogger.info(
      {
        requestId: id,
        method,
        route: routeOptions.url ?? 'unknown',
        status: raw.headersSent ? raw.statusCode : undefined,
        code: errorCode,
        durationMs: Math.round(durationMs * 10) / 10,
        userId: principal?.userId,
        traceId,
        broken: raw.writableFinished ? undefined : true,
      },
      'request',
    );
  const isLogged = requestLogger.isLevelEnabled('info');
  app.decorateRequest('traceId', undefined);
  app.decorate('requestsInFlight', recordRequestMetrics(app, registry, upstream, isLogged ? log : undefined));
  if (!tracing()) return;
  traceRequests(app, { trustsCallers: false });
  app.addHook('onRequest', (request, _reply, done) => {
    request.traceId = tracing()?.activeSpan()?.traceparent.split('-')[1];
    done();
  });
});
