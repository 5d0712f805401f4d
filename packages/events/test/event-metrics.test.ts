import { streamName } from '@lms/contracts/events/definition';
import { createRegistry, type Registry } from '@lms/telemetry/registry';
import { waitFor } from '@lms/testing/wait-for';
import { DiscardPolicy } from 'nats';
import t from 'tap';
import { appendEvent, appendEvents } from '../src/append-event.ts';
import { replayDeadLetter } from '../src/dead-letters.ts';
import { on } from '../src/event-handler.ts';
import { deadLetters } from '../src/tables.ts';
import { allPublished, changeThing, range, recordingHandler, setup } from './setup.ts';
import { thingChanged } from './things.ts';

const reported = (registry: Registry, line: string | RegExp) =>
  waitFor(
    async () => {
      const lines = (await registry.metrics()).split('\n');
      return lines.some((text) => (typeof line === 'string' ? text === line : line.test(text)));
    },
    { until: String(line) },
  );

t.test('outbox metrics report the number and age of unpublished events, also while NATS is down', async (t) => {
  const { nats, database, openBus } = await setup(t);
  const registry = createRegistry();
  const { relay } = openBus(registry);
  relay(database);
  await reported(registry, 'nats_connected 1');
  await reported(registry, 'outbox_events 0');
  await reported(registry, 'outbox_relay_failing 0');
  await nats.kill();
  for (const n of range(1, 5)) await changeThing(database, n);
  await reported(registry, 'nats_connected 0');
  await reported(registry, 'outbox_events 5');
  await reported(registry, /^outbox_oldest_age_seconds (0\.\d{2,}|[1-9])/);
  await reported(registry, /^outbox_publish_failures_total \d/);
  await nats.restart();
  await allPublished(database);
  await reported(registry, 'outbox_events 0');
  await reported(registry, 'outbox_oldest_age_seconds 0');
  await reported(registry, 'outbox_published_total 5');
});

t.test('outbox metrics show that events are not published while NATS responds to pings', async (t) => {
  const { database, openBus } = await setup(t);
  const registry = createRegistry();
  const { bus, relay } = openBus(registry);
  relay(database);
  await changeThing(database, 1);
  await allPublished(database);
  const { manager } = await bus.connected();
  await manager.streams.update(streamName, { max_msgs: 1, discard: DiscardPolicy.New });
  await changeThing(database, 2);
  await reported(registry, 'outbox_relay_failing 1');
  await reported(registry, 'nats_connected 1');
  await manager.streams.update(streamName, { max_msgs: -1, discard: DiscardPolicy.Old });
  await allPublished(database);
  await reported(registry, 'outbox_relay_failing 0');
});

t.test('consumer metrics report handled and waiting events', async (t) => {
  const { database, openBus } = await setup(t);
  const registry = createRegistry();
  const { relay, consume } = openBus(registry);
  relay(database);
  let release: () => void = () => undefined;
  const paused = new Promise<void>((resolve) => {
    release = resolve;
  });
  let handled = 0;
  const pausedHandler = on(thingChanged, async () => {
    await paused;
    handled += 1;
  });
  consume({ database, handlers: [pausedHandler] });
  // More than a consumer receives at once.
  const things = range(1, 600).map((n) => ({ aggregateId: `thing-${n}`, data: { id: `thing-${n}`, n } }));
  await database.db.transaction((tx) => appendEvents(tx, thingChanged, things));
  await allPublished(database);
  await reported(registry, /^event_consumer_unacknowledged\{consumer="test"\} [1-9]/);
  await reported(registry, /^event_consumer_pending\{consumer="test"\} [1-9]/);
  release();
  await waitFor(() => handled === 600);
  await reported(registry, 'event_deliveries_total{consumer="test",outcome="done"} 600');
  await reported(registry, 'event_consumer_pending{consumer="test"} 0');
  await reported(registry, 'event_consumer_unacknowledged{consumer="test"} 0');
  await reported(registry, 'event_age_seconds_count{consumer="test"} 600');
});

t.test('failures, redeliveries and dead letters are counted until the dead letter is replayed', async (t) => {
  const { database, openBus } = await setup(t);
  const registry = createRegistry();
  const { relay, consume } = openBus(registry);
  relay(database);
  const failingHandler = on(thingChanged, async () => Promise.reject(new Error('cannot')));
  consume({ database, handlers: [failingHandler], maxAttempts: 2 });
  await changeThing(database, 1);
  await reported(registry, 'event_deliveries_total{consumer="test",outcome="dead_lettered"} 1');
  await reported(registry, 'event_deliveries_total{consumer="test",outcome="failed"} 1');
  await reported(registry, 'event_redeliveries_total{consumer="test"} 1');
  await reported(registry, 'dead_letters{consumer="test"} 1');
  const [letter] = await database.db.select().from(deadLetters);
  await replayDeadLetter(database.db, recordingHandler().handlers, letter?.id ?? '');
  await reported(registry, 'dead_letters{consumer="test"} 0');
});

t.test('every event has a traceparent', async (t) => {
  const { database } = await setup(t);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const requestId = 'c0ffee00-1111-4222-8333-444455556666';
  for (const [n, cause] of [{ traceparent }, { requestId }, { requestId: 'not-a-uuid', traceparent: 'x' }].entries())
    await database.db.transaction((tx) =>
      appendEvent(tx, thingChanged, { aggregateId: `${n}`, data: { id: `${n}`, n }, cause }),
    );
  const rows = await database.sql<{ traceparent: string }[]>`select traceparent from outbox order by ordinal`;
  t.equal(rows[0]?.traceparent, traceparent, "the request's traceparent");
  t.match(
    rows[1]?.traceparent,
    /^00-c0ffee00111142228333444455556666-[0-9a-f]{16}-00$/,
    'its trace id is the request id',
  );
  t.match(rows[2]?.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/, 'a new trace id');
});
