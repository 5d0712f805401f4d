import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

/** How a metric is called: its unit in its name, `_total` for what only grows. */
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

const unknown: readonly Sample[] = [];
const timeoutMs = 2_000;

const options = (registry: Registry, { name, help, labels = [] }: MetricOptions) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
});

const samplesOf = (reading: Reading): readonly Sample[] =>
  typeof reading === 'number' ? [{ value: reading }] : reading;

/**
 * A value that is asked for when somebody looks. Where the answer fails or takes more than two seconds there is none,
 * and everything else is told all the same.
 */
export function collectGauge(registry: Registry, named: MetricOptions, read: () => Reading | Promise<Reading>) {
  new Gauge({
    ...options(registry, named),
    async collect() {
      const reading = await inTime(read).catch(() => unknown);
      this.reset();
      // Without labels a reset leaves a zero, which nobody has said.
      if (!named.labels && reading === unknown) this.remove();
      for (const { labels = {}, value } of samplesOf(reading)) this.set(labels, value);
    },
  });
}

/** A count that is kept elsewhere as a plain number: for what must not cost anything while nobody looks. */
export function collectCounter(registry: Registry, named: MetricOptions, read: () => Reading) {
  new Counter({
    ...options(registry, named),
    collect() {
      this.reset();
      for (const { labels = {}, value } of samplesOf(read())) this.inc(labels, value);
    },
  });
}

/** A count that is kept here. */
export function createCounter(registry: Registry, named: MetricOptions) {
  const counter = new Counter(options(registry, named));
  return (labels: Labels = {}, by = 1) => counter.inc(labels, by);
}

async function inTime(read: () => Reading | Promise<Reading>): Promise<Reading> {
  const reading = read();
  if (!(reading instanceof Promise)) return reading;
  const answered = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: answered.signal }).then(
    () => Promise.reject(new Error('no answer in time')),
    () => unknown,
  );
  return Promise.race([reading, late]).finally(() => answered.abort());
}
