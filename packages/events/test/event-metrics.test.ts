import { createRegistry, type Registry } from '@lms/telemetry/registry';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { appendEvent } from '../src/append-event.ts';
import { on } from '../src/consume.ts';
import { replayDeadLetter } from '../src/dead-letters.ts';
import { deadLetters } from '../src/tables.ts';
import { allPublished, changeThing, notes, range, setup, thingChanged } from './setup.ts';

const tells = (registry: Registry, line: string | RegExp) =>
  waitFor(
    async () => {
      const lines = (await registry.metrics()).split('\n');
      return lines.some((one) => (typeof line === 'string' ? one === line : line.test(one)));
    },
    { until: String(line), timeoutMs: 20_000 },
  );

t.test('the outbox tells what waits in it and for how long, with NATS and without', async (t) => {
  const { nats, database, openLine } = await setup(t);
  const registry = createRegistry();
  const { relay } = openLine(registry);
  relay(database);
  await tells(registry, 'nats_connected 1');
  await tells(registry, 'outbox_events 0');
  await nats.kill();
  for (const n of range(1, 5)) await changeThing(database, n);
  await tells(registry, 'nats_connected 0');
  await tells(registry, 'outbox_events 5');
  await tells(registry, /^outbox_oldest_age_seconds (0\.\d{2,}|[1-9])/);
  await tells(registry, /^outbox_publish_failures_total \d/);
  await nats.restart();
  await allPublished(database);
  await tells(registry, 'outbox_events 0');
  await tells(registry, 'outbox_oldest_age_seconds 0');
  await tells(registry, 'outbox_published_total 5');
});

t.test('a consumer tells what it has dealt with and what waits for it', async (t) => {
  const { database, openLine } = await setup(t);
  const registry = createRegistry();
  const { relay, consume } = openLine(registry);
  relay(database);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let dealt = 0;
  const holding = on(thingChanged, async () => {
    await held;
    dealt += 1;
  });
  consume({ database, handlers: [holding] });
  for (const n of range(1, 60)) await changeThing(database, n);
  await allPublished(database);
  await tells(registry, /^event_consumer_unacknowledged\{consumer="test"\} [1-9]/);
  await tells(registry, /^event_consumer_pending\{consumer="test"\} [1-9]/);
  release();
  await waitFor(() => dealt === 60, { timeoutMs: 30_000 });
  await tells(registry, 'event_deliveries_total{consumer="test",outcome="done"} 60');
  await tells(registry, 'event_consumer_pending{consumer="test"} 0');
  await tells(registry, 'event_consumer_unacknowledged{consumer="test"} 0');
  await tells(registry, 'event_age_seconds_count{consumer="test"} 60');
});

t.test('failures, redeliveries and dead letters are counted, and a replayed letter no more', async (t) => {
  const { database, openLine } = await setup(t);
  const registry = createRegistry();
  const { relay, consume } = openLine(registry);
  relay(database);
  const failing = on(thingChanged, async () => Promise.reject(new Error('cannot')));
  consume({ database, handlers: [failing], maxAttempts: 2 });
  await changeThing(database, 1);
  await tells(registry, 'event_deliveries_total{consumer="test",outcome="set_aside"} 1');
  await tells(registry, 'event_deliveries_total{consumer="test",outcome="failed"} 1');
  await tells(registry, 'event_redeliveries_total{consumer="test"} 1');
  await tells(registry, 'dead_letters{consumer="test"} 1');
  const [letter] = await database.db.select().from(deadLetters);
  await replayDeadLetter(database.db, notes().listeners, letter?.id ?? '');
  await tells(registry, 'dead_letters{consumer="test"} 0');
});

t.test('every event says to which trace it belongs', async (t) => {
  const { database } = await setup(t);
  const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const requestId = 'c0ffee00-1111-4222-8333-444455556666';
  for (const [n, cause] of [
    { traceparent: given },
    { requestId },
    { requestId: 'of-another-kind', traceparent: 'x' },
  ].entries())
    await database.db.transaction((tx) =>
      appendEvent(tx, thingChanged, { aggregateId: `${n}`, data: { id: `${n}`, n }, cause }),
    );
  const rows = await database.sql<{ traceparent: string }[]>`select traceparent from outbox order by ordinal`;
  t.equal(rows[0]?.traceparent, given, "the request's own");
  t.match(rows[1]?.traceparent, /^00-c0ffee00111142228333444455556666-[0-9a-f]{16}-00$/, 'named as the request is');
  t.match(rows[2]?.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/, 'some trace at least');
});
