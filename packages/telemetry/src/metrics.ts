import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

/** The name includes the unit; names of counters end with `_total`. */
export interface MetricOptions {
  name: string;
  help: string;
  labels?: readonly string[];
}

export interface Sample {
  labels?: Labels;
  value: number;
}
type Reading = number | readonly Sample[];

const noSamples: readonly Sample[] = [];
const timeoutMs = 2_000;

const prometheusOptions = (registry: Registry, { name, help, labels = [] }: MetricOptions) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
});

const samplesOf = (reading: Reading): readonly Sample[] =>
  typeof reading === 'number' ? [{ value: reading }] : reading;

/**
 * Registers a gauge that is read at scrape time. If reading fails or takes more than two seconds, the gauge is left out
 * of that scrape; all other metrics stay.
 */
export function collectGauge(registry: Registry, options: MetricOptions, read: () => Reading | Promise<Reading>) {
  new Gauge({
    ...prometheusOptions(registry, options),
    async collect() {
      const reading = await withTimeout(read).catch(() => noSamples);
      this.reset();
      // After a reset, a gauge without labels would report a zero.
      if (!options.labels && reading === noSamples) this.remove();
      for (const { labels = {}, value } of samplesOf(reading)) this.set(labels, value);
    },
  });
}

/** Concurrent calls of the returned function share one reading, as the gauges of one scrape do. */
export function shareReading<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Registers a counter that is read at scrape time from a plain number, so that counting costs nothing else. */
export function collectCounter(registry: Registry, options: MetricOptions, read: () => Reading) {
  new Counter({
    ...prometheusOptions(registry, options),
    collect() {
      this.reset();
      for (const { labels = {}, value } of samplesOf(read())) this.inc(labels, value);
    },
  });
}

/** Registers a counter and returns the function that increments it. It counts in plain numbers until it is read. */
export function createCounter(registry: Registry, options: MetricOptions) {
  const samples = new Map<string, { labels: Labels; value: number }>();
  collectCounter(registry, options, () => [...samples.values()]);
  return (labels: Labels = {}, by = 1) => {
    let key = '';
    for (const name in labels) key += `${labels[name]} `;
    const sample = samples.get(key);
    if (sample) sample.value += by;
    else samples.set(key, { labels, value: by });
  };
}

async function withTimeout(read: () => Reading | Promise<Reading>): Promise<Reading> {
  const reading = read();
  if (!(reading instanceof Promise)) return reading;
  const settled = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: settled.signal }).then(
    () => Promise.reject(new Error('timed out')),
    () => noSamples,
  );
  return Promise.race([reading, timeout]).finally(() => settled.abort());
}
