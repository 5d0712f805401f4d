import { createRequire } from 'node:module';
import t from 'tap';
import { readTraceparent, traceparentOf } from '../src/traceparent.ts';
import { startTracing, tracing, withSpan } from '../src/tracing.ts';

const isLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('@opentelemetry'));
const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

t.test('nothing is recorded, and OpenTelemetry not loaded, until somebody asks for it', async (t) => {
  t.equal(tracing(), undefined);
  t.equal(await withSpan('work', { kind: 'client' }, async (span) => span ?? 'no span'), 'no span');
  t.notOk(isLoaded());
  // Nobody listens there: what cannot be sent is dropped.
  const opened = await startTracing('test', 'http://127.0.0.1:1');
  t.ok(isLoaded());
  t.not(tracing(), undefined);
  await opened.close();
  t.equal(tracing(), undefined);
});

t.test('what is begun within a span belongs to it, also after waiting', async (t) => {
  const { startSpan: begin, activeSpan: running, close } = await startTracing('test', 'http://127.0.0.1:1');
  t.teardown(close);
  const traceOf = (traceparent: string | undefined) => traceparent?.split('-')[1];
  const outer = begin('outer', { kind: 'server', parent: good });
  t.equal(traceOf(outer.traceparent), traceOf(good), 'a parent is continued');
  await outer.run(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(running()?.traceparent, outer.traceparent);
    t.equal(traceOf(begin('inner', { kind: 'client' }).traceparent), traceOf(good));
    t.not(traceOf(begin('apart', { kind: 'server', parent: null, link: good }).traceparent), traceOf(good));
  });
  t.equal(running(), undefined);
  await t.rejects(
    withSpan('failing', { kind: 'client' }, () => Promise.reject(new Error('as it was'))),
    { message: 'as it was' },
  );
});

t.test('a traceparent is taken only as the standard has it', async (t) => {
  t.equal(readTraceparent(good), good);
  for (const bad of [
    undefined,
    '',
    [good],
    good.toUpperCase(),
    `${good}-more`,
    `ff${good.slice(2)}`,
    good.replace(/[0-9a-f]{32}/, '0'.repeat(32)),
    good.replace('b7ad6b7169203331', '0'.repeat(16)),
    `${good}\n`,
  ])
    t.equal(readTraceparent(bad), undefined, JSON.stringify(bad));
  t.match(traceparentOf('c0ffee00-1111-4222-8333-444455556666'), /^00-c0ffee00111142228333444455556666-/);
  for (const other of ['of-another-kind', null, undefined, '00000000-0000-0000-0000-000000000000'])
    t.ok(readTraceparent(traceparentOf(other)), String(other));
});
