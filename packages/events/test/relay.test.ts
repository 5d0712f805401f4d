import { setTimeout as sleep } from 'node:timers/promises';
import { streamName } from '@lms/contracts/events/definition';
import { connect } from '@lms/database/connect';
import { waitFor } from '@lms/testing/wait-for';
import { sql as query } from 'drizzle-orm';
import t from 'tap';
import { appendEvent, appendEvents } from '../src/append-event.ts';
import { republish, republishSince } from '../src/republish.ts';
import { allPublished, changeThing, range, setup, streamedEvents, streamedNumbers } from './setup.ts';
import { thingChanged } from './things.ts';
import { withResolvers } from './with-resolvers.ts';

t.test('a published event contains its state, version, cause and time', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  const cause = { actorId: 'admin', requestId: 'request-1' };
  const changes = { n: { from: 1, to: 2 } };
  await changeThing(database, 1, 'a');
  await database.db.transaction((tx) =>
    appendEvent(tx, thingChanged, { aggregateId: 'a', data: { id: 'a', n: 2 }, changes, cause }),
  );
  await allPublished(database);
  const [first, second] = await streamedEvents(bus);
  t.same(first?.body, { id: 'a', n: 1, version: 1 });
  t.same(second?.body, { id: 'a', n: 2, version: 2, changes });
  t.equal(second?.subject, 'lms.test.thing.changed.v1');
  const headers = [
    'ce-specversion',
    'ce-type',
    'ce-source',
    'ce-subject',
    'ce-actorid',
    'ce-requestid',
    'content-type',
  ];
  t.same(
    headers.map((name) => second?.header(name)),
    ['1.0', 'test.thing.changed', 'test', 'a', 'admin', 'request-1', 'application/json'],
  );
  t.match(second?.header('ce-time'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.equal(first?.header('ce-actorid'), '', 'no actor');
});

t.test('a transaction that commits late does not delay others and is published then', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  const written = withResolvers<void>();
  const mayCommit = withResolvers<void>();
  const slow = database.db.transaction(async (tx) => {
    await appendEvent(tx, thingChanged, { aggregateId: 'slow', data: { id: 'slow', n: 1 } });
    written.resolve();
    await mayCommit.promise;
  });
  await written.promise;
  for (const n of [2, 3]) await changeThing(database, n);
  await allPublished(database);
  t.same(await streamedNumbers(bus), [2, 3], 'commit order');
  mayCommit.resolve();
  await slow;
  await changeThing(database, 4);
  await allPublished(database);
  t.same(await streamedNumbers(bus), [2, 3, 1, 4]);
});

t.test(
  'an event too large for NATS is published without its changes or skipped, and does not block others',
  async (t) => {
    const { database, openBus } = await setup(t);
    const { bus, relay } = openBus();
    const large = 'x'.repeat(1_100_000);
    const changes = { n: { from: large, to: 1 } };
    const events = [
      { aggregateId: 'a', data: { id: 'a', n: 1 }, changes },
      { aggregateId: 'b', data: { id: large, n: 2 } },
      { aggregateId: 'c', data: { id: 'c', n: 3 } },
    ];
    await database.db.transaction((tx) => appendEvents(tx, thingChanged, events));
    relay(database);
    await allPublished(database);
    t.same(
      (await streamedEvents(bus)).map(({ body }) => body),
      [
        { id: 'a', n: 1, version: 1 },
        { id: 'c', n: 3, version: 1 },
      ],
    );
  },
);

t.test('a batch of large events ends before it needs much memory, and all are published in order', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  const text = 'x'.repeat(900_000);
  // Their changes are stored as well.
  const events = range(1, 10).map((n) => ({
    aggregateId: `${n}`,
    data: { id: text, n },
    changes: { n: { from: 0, to: text } },
  }));
  await database.db.transaction((tx) => appendEvents(tx, thingChanged, events));
  relay(database);
  await allPublished(database);
  t.same(await streamedNumbers(bus), range(1, 10));
  // One transaction per batch.
  const batches =
    await database.sql`select count(*)::int as events from outbox group by published_at order by published_at`;
  t.same(
    batches.map(({ events: count }) => count),
    [5, 5],
  );
});

t.test('concurrent events are published after everything committed before them', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  const { notify } = relay(database);
  const workers = range(1, 8);
  await Promise.all(
    workers.map(async (worker) => {
      for (const n of range(1, 25)) {
        await database.db.transaction(async (tx) => {
          if (n % 3 === 0) await tx.execute(query`select pg_current_xact_id()`);
          await sleep((n * worker) % 13);
          const id = `worker-${worker}`;
          await appendEvent(tx, thingChanged, { aggregateId: `thing-${(n + worker) % 5}`, data: { id, n } });
          await sleep((n * worker) % 7);
        });
        notify();
      }
    }),
  );
  await allPublished(database);
  const published = await streamedEvents(bus);
  for (const worker of workers)
    t.same(
      published.filter(({ body }) => body.id === `worker-${worker}`).map(({ body }) => body.n),
      range(1, 25),
      'the order of one worker',
    );
  for (const thing of range(0, 4))
    t.same(
      published.filter(({ header }) => header('ce-subject') === `thing-${thing}`).map(({ body }) => body.version),
      range(1, 40),
      'the versions of one thing',
    );
});

t.test('events of one aggregate are published in version order, whichever transaction began first', async (t) => {
  const { database, openBus } = await setup(t);
  const begun = withResolvers<void>();
  const mayContinue = withResolvers<void>();
  const early = database.db.transaction(async (tx) => {
    await appendEvent(tx, thingChanged, { aggregateId: 'other', data: { id: 'other', n: 0 } });
    begun.resolve();
    await mayContinue.promise;
    await appendEvent(tx, thingChanged, { aggregateId: 'a', data: { id: 'a', n: 2 } });
  });
  await begun.promise;
  await changeThing(database, 1, 'a');
  mayContinue.resolve();
  await early;
  const { bus, relay } = openBus();
  relay(database);
  await allPublished(database);
  const published = (await streamedEvents(bus)).map(({ body }) => body).filter(({ id }) => id === 'a');
  t.same(published, [
    { id: 'a', n: 1, version: 1 },
    { id: 'a', n: 2, version: 2 },
  ]);
});

t.test('two relays publish each event once and in order, also when one of them stops', async (t) => {
  const { database, openBus } = await setup(t);
  const other = connect(database.url);
  t.teardown(() => other.close());
  const [one, two] = [openBus(), openBus()];
  one.relay(database);
  two.relay(other);
  const writing = (async () => {
    for (const n of range(1, 250)) await changeThing(database, n);
  })();
  await waitFor(async () => (await database.sql`select 1 from outbox where published_at is not null`).length > 50);
  const closingAt = Date.now();
  await one.close();
  t.ok(Date.now() - closingAt < 15_000, `closed within ${Date.now() - closingAt} ms`);
  await writing;
  await allPublished(database);
  t.same(await streamedNumbers(two.bus), range(1, 250));
});

t.test('events can be published again, but the stream drops recent duplicates', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  const { notify } = relay(database);
  await changeThing(database, 1, 'a');
  await changeThing(database, 2, 'b');
  await allPublished(database);
  t.equal(await republish(database, 'a'), 1);
  notify();
  await allPublished(database);
  t.same(await streamedNumbers(bus), [1, 2]);
  // Shortens the duplicate window, as if two minutes had passed.
  const { manager } = await bus.connected();
  await manager.streams.update(streamName, { duplicate_window: 100_000_000 });
  await waitFor(
    async () => {
      await republishSince(database, new Date(0));
      await allPublished(database);
      const repeated = (await streamedNumbers(bus)).slice(2);
      return repeated.includes(1) && repeated.includes(2);
    },
    { until: 'both events to be repeated' },
  );
});

t.test('two thousand events are published within seconds', async (t) => {
  const { database, openBus } = await setup(t);
  await database.db.execute(query`
    insert into outbox (id, type, aggregate_id, version, data)
    select 'e' || n, 'test.thing.changed', 'a', n, jsonb_build_object('id', 'a', 'n', n, 'text', repeat('x', 400))
    from generate_series(1, 2000) as n`);
  const { bus, relay } = openBus();
  await waitFor(() =>
    bus.check().then(
      () => true,
      () => false,
    ),
  );
  const startedAt = Date.now();
  relay(database);
  await allPublished(database);
  t.comment(`${Date.now() - startedAt} ms`);
  t.ok(Date.now() - startedAt < 40_000);
  const { manager } = await bus.connected();
  t.equal((await manager.streams.info(streamName)).state.messages, 2_000);
});
