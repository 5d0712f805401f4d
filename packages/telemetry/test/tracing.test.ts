import { createRequire } from 'node:module';
import t from 'tap';
import { readTraceparent, traceparentOf } from '../src/traceparent.ts';
import { startTracing, tracing, withSpan } from '../src/tracing.ts';

const isLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('@opentelemetry'));
const valid = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

t.test('until startTracing is called, nothing is recorded and OpenTelemetry is not loaded', async (t) => {
  t.equal(tracing(), undefined);
  t.equal(await withSpan('work', { kind: 'client' }, async (span) => span ?? 'no span'), 'no span');
  t.notOk(isLoaded());
  // Nothing listens on this port: spans that cannot be sent are dropped.
  const recording = await startTracing('test', 'http://127.0.0.1:1');
  t.ok(isLoaded());
  t.not(tracing(), undefined);
  await recording.close();
  t.equal(tracing(), undefined);
});

t.test('a span started inside another one becomes its child, also after an await', async (t) => {
  const { startSpan, activeSpan, close } = await startTracing('test', 'http://127.0.0.1:1');
  t.teardown(close);
  const traceOf = (traceparent: string | undefined) => traceparent?.split('-')[1];
  const outer = startSpan('outer', { kind: 'server', parent: valid });
  t.equal(traceOf(outer.traceparent), traceOf(valid), 'a parent is continued');
  await outer.run(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(activeSpan()?.traceparent, outer.traceparent);
    t.equal(traceOf(startSpan('inner', { kind: 'client' }).traceparent), traceOf(valid));
    t.not(traceOf(startSpan('separate', { kind: 'server', parent: null, link: valid }).traceparent), traceOf(valid));
  });
  t.equal(activeSpan(), undefined);
  await t.rejects(
    withSpan('failing', { kind: 'client' }, () => Promise.reject(new Error('original'))),
    { message: 'original' },
  );
});

t.test('only a valid traceparent is accepted', async (t) => {
  t.equal(readTraceparent(valid), valid);
  for (const invalid of [
    undefined,
    '',
    [valid],
    valid.toUpperCase(),
    `${valid}-more`,
    `ff${valid.slice(2)}`,
    valid.replace(/[0-9a-f]{32}/, '0'.repeat(32)),
    valid.replace('b7ad6b7169203331', '0'.repeat(16)),
    `${valid}\n`,
  ])
    t.equal(readTraceparent(invalid), undefined, JSON.stringify(invalid));
  t.match(traceparentOf('c0ffee00-1111-4222-8333-444455556666'), /^00-c0ffee00111142228333444455556666-/);
  for (const other of ['of-another-kind', null, undefined, '00000000-0000-0000-0000-000000000000'])
    t.ok(readTraceparent(traceparentOf(other)), String(other));
});
