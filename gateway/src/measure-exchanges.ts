import { clientClosedRequestStatus, methodLabel, requestDurations } from '@lms/service/request-metrics';
import { createDurationHistogram, type DurationSeries } from '@lms/telemetry/durations';
import type { Registry } from '@lms/telemetry/registry';
import type { Exchange } from './exchange.ts';
import type { Place } from './routing/route.ts';

const methodNumbers: Readonly<Record<string, number>> = { GET: 1, HEAD: 2, POST: 3, PUT: 4, DELETE: 5, OPTIONS: 6 };

/**
 * Measures every exchange by the entry of the routing table that it took, and by who answers there. Paths that are no
 * entry count as one. A series is found by two small numbers: this runs for every request.
 */
export function measureExchanges(registry: Registry) {
  const labels = [...requestDurations.labels, 'upstream'];
  const open = createDurationHistogram(registry, { ...requestDurations, labels });
  const known = new Map<Place | undefined, Map<number, DurationSeries>>();

  function durationsOf({ incoming, place, route }: Exchange, key: number, status: number): DurationSeries {
    const series = known.get(place) ?? new Map<number, DurationSeries>();
    known.set(place, series);
    const opened = open({
      method: methodLabel(incoming.method),
      route: place?.path ?? 'unknown',
      status: String(status),
      upstream: route?.upstream ?? 'gateway',
    });
    series.set(key, opened);
    return opened;
  }

  return (exchange: Exchange) => {
    const { incoming, outgoing, place, startedAt } = exchange;
    const status = outgoing.headersSent ? outgoing.statusCode : clientClosedRequestStatus;
    const key = status * 8 + (methodNumbers[incoming.method ?? ''] ?? 0);
    const durations = known.get(place)?.get(key) ?? durationsOf(exchange, key, status);
    durations.observe((performance.now() - startedAt) / 1_000);
  };
}
export type Measure = ReturnType<typeof measureExchanges>;
