import { createDurationHistogram, type DurationSeries } from '@lms/telemetry/durations';
import { collectGauge } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyInstance } from 'fastify';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
/** What nginx calls an answer whose client left before it began. */
export const clientClosedRequestStatus = 499;

export const requestDurations = {
  name: 'http_request_duration_seconds',
  help: 'How long requests took until their answer was sent or its client had left',
  labels: ['method', 'route', 'status'],
} as const;
export const requestsInFlight = { name: 'http_requests_in_flight', help: 'Requests that are being answered' } as const;

/** Routes are told by their templates, and what is none of them as one: clients must not be able to make series. */
export const methodLabel = (method: string | undefined) =>
  method !== undefined && methods.includes(method) ? method : 'other';

/** Measures every request: rate, errors and duration by route. */
export function recordRequestMetrics(app: FastifyInstance, registry: Registry) {
  const open = createDurationHistogram(registry, requestDurations);
  const known = new Map<string, DurationSeries>();
  let inFlight = 0;
  collectGauge(registry, requestsInFlight, () => inFlight);

  function durationsOf(method: string, route: string, status: number): DurationSeries {
    const key = `${status}${method}${route}`;
    const found = known.get(key);
    if (found) return found;
    const opened = open({ method, route, status: String(status) });
    known.set(key, opened);
    return opened;
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
