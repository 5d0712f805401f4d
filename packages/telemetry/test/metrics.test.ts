import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createDurationHistogram } from '../src/durations.ts';
import { collectCounter, collectGauge, createCounter } from '../src/metrics.ts';
import { createRegistry } from '../src/registry.ts';

t.test('a process tells of its memory and of how late its event loop is', async (t) => {
  const text = await createRegistry().metrics();
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
    t.match(text, new RegExp(`^${name} [\\d.e-]+$`, 'm'));
});

t.test('a histogram of times tells each series with its labels, buckets that add up, sum and count', async (t) => {
  const registry = createRegistry();
  const series = createDurationHistogram(registry, { name: 'work_seconds', help: 'Work', labels: ['by'] }, [0.1, 1]);
  const [hers, his] = [series({ by: 'her' }), series({ by: 'him "or" so' })];
  for (const seconds of [0.05, 0.1, 0.5, 3]) hers.observe(seconds);
  his.observe(1);
  const text = await registry.metrics();
  t.match(text, '# TYPE work_seconds histogram');
  t.match(
    text,
    [
      'work_seconds_bucket{by="her",le="0.1"} 2',
      'work_seconds_bucket{by="her",le="1"} 3',
      'work_seconds_bucket{by="her",le="+Inf"} 4',
      'work_seconds_sum{by="her"} 3.65',
      'work_seconds_count{by="her"} 4',
    ].join('\n'),
  );
  t.match(text, 'work_seconds_count{by="him \\"or\\" so"} 1');
});

t.test('what cannot be told is left out, and the rest is told', async (t) => {
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
  const told = await registry.metrics();
  t.match(told, /^waiting 3$/m);
  t.match(told, /^several\{of="b"\} 2$/m);
  t.notMatch(told, /^slow /m, 'nobody waits a minute for it');
  outage = new Error('away');
  const untold = await registry.metrics();
  t.notMatch(untold, /^waiting /m);
  t.match(untold, /^several\{of="a"\} 1$/m);
});

t.test('counts grow, whoever keeps them', async (t) => {
  const registry = createRegistry();
  let kept = 0;
  collectCounter(registry, { name: 'kept_total', help: 'Kept' }, () => kept);
  const add = createCounter(registry, { name: 'added_total', help: 'Added', labels: ['to'] });
  kept = 4;
  add({ to: 'x' });
  add({ to: 'x' }, 2);
  t.match(await registry.metrics(), /^kept_total 4$/m);
  kept = 5;
  const text = await registry.metrics();
  t.match(text, /^kept_total 5$/m);
  t.match(text, /^added_total\{to="x"\} 3$/m);
});
