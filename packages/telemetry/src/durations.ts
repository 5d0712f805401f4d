import { Histogram, type Registry } from 'prom-client';
import type { Labels, MetricOptions } from './metrics.ts';

const usualBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** One series of a histogram. */
export interface DurationSeries {
  observe: (seconds: number) => void;
}

interface Series extends DurationSeries {
  read: () => object[];
}

/**
 * A histogram of times. Whoever observes keeps the series it observes in: prom-client's own finds it anew by its labels
 * every time, which takes ten times as long as counting.
 */
export function createDurationHistogram(
  registry: Registry,
  { name, help, labels = [] }: MetricOptions,
  bounds = usualBounds,
) {
  const all: Series[] = [];
  const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: bounds, registers: [registry] });
  const read = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: all.flatMap((series) => series.read()),
  });
  Object.assign(histogram, { get: read, getForPromString: read });

  return (given: Labels): DurationSeries => {
    const series = openSeries(name, given, bounds);
    all.push(series);
    return series;
  };
}

function openSeries(name: string, labels: Labels, bounds: readonly number[]): Series {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe(seconds) {
      let at = 0;
      while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += seconds;
    },
    read() {
      let count = 0;
      const buckets = [...bounds, '+Inf'].map((le, at) => {
        count += counts[at] ?? 0;
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
      });
      const totals = [
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
      return [...buckets, ...totals];
    },
  };
}
