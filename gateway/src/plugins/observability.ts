import { requestLine } from '@lms/service/request-log';
import { type OnRequestEnd, type RouteLabel, recordRequestMetrics } from '@lms/service/request-metrics';
import { traceRequests } from '@lms/service/trace-requests';
import { tracing } from '@lms/telemetry/tracing';
import fp from 'fastify-plugin';
import type { Options } from '../config.ts';

const upstream: RouteLabel = { name: 'upstream', valueOf: ({ policy }) => policy.service ?? 'gateway' };

/** Records the duration of every request, logs it in one line, and traces it if traces are recorded. */
export const observability = fp(async (app, { requestLogger, registry }: Options) => {
  const log: OnRequestEnd = (request, reply, durationMs) => {
    const { id: requestId, principal, traceId } = request;
    const line = requestLine(request, reply, durationMs);
    requestLogger.info({ requestId, ...line, userId: principal?.userId, traceId }, 'request');
  };
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
