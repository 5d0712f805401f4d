import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createDurationHistogram } from '../src/durations.ts';
import { collectCounter, collectGauge, createCounter, shareReading } from '../src/metrics.ts';
import { createRegistry } from '../src/registry.ts';

t.test('a registry reports memory, CPU time and event loop lag', async (t) => {
  const text = await createRegistry().metrics();
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
    t.match(text, new RegExp(`^${name} [\\d.e-]+$`, 'm'));
});

t.test('a histogram reports each series with labels, cumulative buckets, sum and count', async (t) => {
  const registry = createRegistry();
  const series = createDurationHistogram(registry, { name: 'work_seconds', help: 'Work', labels: ['by'] }, [0.1, 1]);
  const [first, second] = [series({ by: 'a' }), series({ by: 'b "quoted"' })];
  for (const seconds of [0.05, 0.1, 0.5, 3]) first.observe(seconds);
  second.observe(1);
  const text = await registry.metrics();
  t.match(text, '# TYPE work_seconds histogram');
  t.match(
    text,
    [
      'work_seconds_bucket{by="a",le="0.1"} 2',
      'work_seconds_bucket{by="a",le="1"} 3',
      'work_seconds_bucket{by="a",le="+Inf"} 4',
      'work_seconds_sum{by="a"} 3.65',
      'work_seconds_count{by="a"} 4',
    ].join('\n'),
  );
  t.match(text, 'work_seconds_count{by="b \\"quoted\\""} 1');
});

t.test('a metric that cannot be read is left out, the others are reported', async (t) => {
  const registry = createRegistry();
  let outage: Error | undefined;
  collectGauge(registry, { name: 'waiting', help: 'Waiting' }, async () => {
    if (outage) throw outage;
    return 3;
  });
  collectGauge(registry, { name: 'slow', help: 'Slow' }, () => sleep(60_000, 1, { ref: false }));
  collectGauge(registry, { name: 'several', help: 'Several', labels: ['of'] }, () => [
    { labels: { of: 'a' }, value: 1 },
    { labels: { of: 'b' }, value: 2 },
  ]);
  const complete = await registry.metrics();
  t.match(complete, /^waiting 3$/m);
  t.match(complete, /^several\{of="b"\} 2$/m);
  t.notMatch(complete, /^slow /m, 'the scrape does not wait for a minute');
  outage = new Error('down');
  const incomplete = await registry.metrics();
  t.notMatch(incomplete, /^waiting /m);
  t.match(incomplete, /^several\{of="a"\} 1$/m);
});

t.test('gauges can share one reading of each scrape', async (t) => {
  const registry = createRegistry();
  let readings = 0;
  let outage: Error | undefined;
  const read = shareReading(async () => {
    readings += 1;
    if (outage) throw outage;
    return readings;
  });
  for (const name of ['first', 'second']) collectGauge(registry, { name, help: name }, read);
  for (const scrape of [1, 2]) {
    const text = await registry.metrics();
    t.match(text, new RegExp(`^first ${scrape}$`, 'm'));
    t.match(text, new RegExp(`^second ${scrape}$`, 'm'));
  }
  outage = new Error('down');
  t.notMatch(await registry.metrics(), /^(first|second) /m);
  outage = undefined;
  t.match(await registry.metrics(), /^second 4$/m);
});

t.test('counters can be read at scrape time or incremented', async (t) => {
  const registry = createRegistry();
  let count = 0;
  collectCounter(registry, { name: 'read_total', help: 'Read' }, () => count);
  const add = createCounter(registry, { name: 'added_total', help: 'Added', labels: ['to'] });
  count = 4;
  add({ to: 'x' });
  add({ to: 'x' }, 2);
  t.match(await registry.metrics(), /^read_total 4$/m);
  count = 5;
  const text = await registry.metrics();
  t.match(text, /^read_total 5$/m);
  t.match(text, /^added_total\{to="x"\} 3$/m);
});
