import { createDurationHistogram, type DurationSeries } from '@lms/telemetry/durations';
import { collectGauge } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
/** nginx's status code for a client that disconnected before the response. */
const clientClosedRequestStatus = 499;

const requestDurations = {
  name: 'http_request_duration_seconds',
  help: 'Duration of requests until the response was sent or the client disconnected',
  labels: ['method', 'route', 'status'],
} as const;
const requestsInFlight = { name: 'http_requests_in_flight', help: 'Requests being processed' } as const;

/** Maps unknown methods to `other`, so that clients cannot create new series. */
const methodLabel = (method: string) => (methods.includes(method) ? method : 'other');

/** An additional label. Requests with the same method, route and status must have the same value. */
export interface RouteLabel {
  name: string;
  valueOf: (request: FastifyRequest) => string;
}

/** Called when the response was sent or the client disconnected. */
export type OnRequestEnd = (request: FastifyRequest, reply: FastifyReply, durationMs: number) => void;

/** Records the duration and status of every request, by method and route template. @returns a function that returns the number of requests in flight */
export function recordRequestMetrics(
  app: FastifyInstance,
  registry: Registry,
  label?: RouteLabel,
  onRequestEnd?: OnRequestEnd,
) {
  const labels = [...requestDurations.labels, ...(label ? [label.name] : [])];
  const createSeries = createDurationHistogram(registry, { ...requestDurations, labels });
  const seriesByKey = new Map<string, DurationSeries>();
  let inFlight = 0;
  collectGauge(registry, requestsInFlight, () => inFlight);

  function durationsOf(request: FastifyRequest, status: number): DurationSeries {
    const method = methodLabel(request.method);
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const key = `${status}${method}${route}`;
    const existing = seriesByKey.get(key);
    if (existing) return existing;
    const more = label && { [label.name]: label.valueOf(request) };
    const series = createSeries({ method, route, status: String(status), ...more });
    seriesByKey.set(key, series);
    return series;
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    const startedAt = performance.now();
    inFlight += 1;
    raw.on('close', () => {
      inFlight -= 1;
      const status = raw.headersSent ? raw.statusCode : clientClosedRequestStatus;
      const durationMs = performance.now() - startedAt;
      durationsOf(request, status).observe(durationMs / 1_000);
      onRequestEnd?.(request, reply, durationMs);
    });
    done();
  });
  return () => inFlight;
}
