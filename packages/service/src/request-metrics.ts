import { createDurationHistogram, type DurationSeries } from '@lms/telemetry/durations';
import { collectGauge } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyInstance } from 'fastify';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
/** nginx's status code for a client that disconnected before the response. */
export const clientClosedRequestStatus = 499;

export const requestDurations = {
  name: 'http_request_duration_seconds',
  help: 'Duration of requests until the response was sent or the client disconnected',
  labels: ['method', 'route', 'status'],
} as const;
export const requestsInFlight = { name: 'http_requests_in_flight', help: 'Requests being processed' } as const;

/** Maps unknown methods to `other`, so that clients cannot create new series. */
export const methodLabel = (method: string | undefined) =>
  method !== undefined && methods.includes(method) ? method : 'other';

/** Records the duration and status of every request, by method and route template. */
export function recordRequestMetrics(app: FastifyInstance, registry: Registry) {
  const createSeries = createDurationHistogram(registry, requestDurations);
  const seriesByKey = new Map<string, DurationSeries>();
  let inFlight = 0;
  collectGauge(registry, requestsInFlight, () => inFlight);

  function durationsOf(method: string, route: string, status: number): DurationSeries {
    const key = `${status}${method}${route}`;
    const existing = seriesByKey.get(key);
    if (existing) return existing;
    const series = createSeries({ method, route, status: String(status) });
    seriesByKey.set(key, series);
    return series;
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    const startedAt = performance.now();
    inFlight += 1;
    raw.once('close', () => {
      inFlight -= 1;
      const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
      const status = raw.headersSent ? raw.statusCode : clientClosedRequestStatus;
      durationsOf(methodLabel(request.method), route, status).observe((performance.now() - startedAt) / 1_000);
    });
    done();
  });
}
