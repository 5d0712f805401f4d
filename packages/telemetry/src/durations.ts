import { Histogram, type Registry } from 'prom-client';
import type { Labels, MetricOptions } from './metrics.ts';

const defaultBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** One series of a histogram. */
export interface DurationSeries {
  observe: (seconds: number) => void;
}

interface Series extends DurationSeries {
  read: () => object[];
}

/**
 * Creates a histogram of durations in seconds. The caller keeps the series that it observes: prom-client's own
 * histogram looks up the series by its labels each time, which takes ten times as long as the observation.
 */
export function createDurationHistogram(
  registry: Registry,
  { name, help, labels = [] }: MetricOptions,
  bounds = defaultBounds,
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

  return (seriesLabels: Labels): DurationSeries => {
    const series = createSeries(name, seriesLabels, bounds);
    all.push(series);
    return series;
  };
}

function createSeries(name: string, labels: Labels, bounds: readonly number[]): Series {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe(seconds) {
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += seconds;
    },
    read() {
      let count = 0;
      const buckets = [...bounds, '+Inf'].map((le, index) => {
        count += counts[index] ?? 0;
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
