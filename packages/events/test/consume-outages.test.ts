import { streamName } from '@lms/contracts/events/definition';
import { connect } from '@lms/database/connect';
import { startTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { sql } from 'drizzle-orm';
import t from 'tap';
import { on } from '../src/event-handler.ts';
import { deadLetters } from '../src/tables.ts';

import { changeThing, createEffects, effects, range, recordingHandler, setup } from './setup.ts';
import { thingChanged } from './things.ts';

t.test('a consumer continues within seconds after NATS was killed and restarted', async (t) => {
  const { database, openBus, nats } = await setup(t);
  const { relay, consume } = openBus();
  relay(database);
  const { numbers, handlers } = recordingHandler();
  consume({ database, handlers });
  for (const n of range(1, 20)) await changeThing(database, n);
  await waitFor(() => numbers.length === 20);
  for (const n of range(21, 60)) await changeThing(database, n);
  await nats.kill();
  for (const n of range(61, 80)) await changeThing(database, n);
  const restartedAt = Date.now();
  await nats.restart();
  await waitFor(() => new Set(numbers).size === 80, { until: 'the rest' });
  t.ok(Date.now() - restartedAt < 40_000, `${Date.now() - restartedAt} ms`);
  t.same(
    [...numbers].sort((a, b) => a - b),
    range(1, 80),
    'each once',
  );
});

t.test('a consumer recovers from the deletion of its stream', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay, consume } = openBus();
  relay(database);
  const { numbers, handlers } = recordingHandler();
  consume({ database, handlers });
  for (const n of range(1, 5)) await changeThing(database, n);
  await waitFor(() => numbers.length === 5);
  const { manager } = await bus.connected();
  await manager.streams.delete(streamName);
  const deletedAt = Date.now();
  for (const n of range(6, 10)) await changeThing(database, n);
  await waitFor(() => numbers.length >= 10, { until: 'the rest' });
  t.same(numbers, range(1, 10));
  t.ok(Date.now() - deletedAt < 40_000, `${Date.now() - deletedAt} ms`);
});

t.test('a consumer without events keeps its session in use', async (t) => {
  const { database, openBus } = await setup(t);
  const ownDatabase = connect(database.url, { applicationName: 'idle-consumer' });
  t.teardown(() => ownDatabase.close());
  openBus().consume({ database: ownDatabase, handlers: recordingHandler().handlers });
  const firstUses = new Map<number, number>();
  // PostgreSQL ends a session whose transaction is idle for 30 s.
  await waitFor(
    async () => {
      const sessions = await database.sql`
        select pid, extract(epoch from state_change)::float as used from pg_stat_activity
        where application_name = 'idle-consumer' and state = 'idle in transaction'`;
      for (const { pid, used } of sessions) if (!firstUses.has(pid)) firstUses.set(pid, used);
      return sessions.some(({ pid, used }) => used - (firstUses.get(pid) ?? used) > 3);
    },
    { until: 'a use of the session seconds later' },
  );
  t.pass();
});

t.test(
  'while an event is handled for long, the consumer keeps its session in use and the event to itself',
  async (t) => {
    const { database, openBus } = await setup(t);
    const ownDatabase = connect(database.url, { applicationName: 'busy-consumer' });
    t.teardown(() => ownDatabase.close());
    const { bus, relay, consume } = openBus();
    relay(database);
    const numbers: number[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const handler = on(thingChanged, async (_tx, { data }) => {
      numbers.push(data.n);
      await finished;
    });
    consume({ database: ownDatabase, handlers: [handler] });
    await changeThing(database, 1);
    await waitFor(() => numbers.length === 1);
    const startedAt = Date.now();
    const lastUse = async () => {
      const [session] = await database.sql`
      select extract(epoch from max(state_change))::float * 1000 as at from pg_stat_activity
      where application_name = 'busy-consumer' and state = 'idle in transaction'`;
      return session?.at;
    };
    // PostgreSQL ends a session whose transaction is idle for 30 s, and the server delivers again after 10 s.
    await waitFor(async () => (await lastUse()) > startedAt + 12_000, {
      until: 'a use of the session',
      timeoutMs: 40_000,
    });
    finish();
    await changeThing(database, 2);
    const { manager } = await bus.connected();
    const info = () => manager.consumers.info(streamName, 'test');
    await waitFor(async () => (await info()).ack_floor.stream_seq === 2);
    t.same(numbers, [1, 2]);
    t.equal((await info()).delivered.consumer_seq, 2, 'each was delivered once');
  },
);

t.test(
  'a handler that waits for the lock of a migration is repeated until it gets it, without a dead letter',
  async (t) => {
    const { database, openBus } = await setup(t);
    const ownDatabase = connect(`${database.url}?lock_timeout=50`);
    t.teardown(() => ownDatabase.close());
    const { relay, consume } = openBus();
    relay(database);
    await createEffects(database);
    let attempts = 0;
    const handler = on(thingChanged, async (tx, { data }) => {
      attempts += 1;
      await tx.execute(sql`insert into effects (id, n) values (${data.id}, ${data.n})`);
    });
    consume({ database: ownDatabase, handlers: [handler], maxAttempts: 2 });
    await database.sql.begin(async (tx) => {
      await tx`lock table effects in access exclusive mode`;
      await changeThing(database, 1);
      await waitFor(() => attempts > 4);
    });
    await waitFor(async () => (await effects(database)).length > 0);
    t.same(await effects(database), [1]);
    t.same(await database.db.select().from(deadLetters), []);
  },
);

t.test('database sessions lost while handling events lose and repeat no effect', async (t) => {
  const { database, openBus } = await setup(t);
  const ownDatabase = connect(database.url, { applicationName: 'consumer' });
  t.teardown(() => ownDatabase.close());
  const { relay, consume } = openBus();
  relay(database);
  await database.sql`create table effects (n integer not null)`;
  const handlers = [
    on(thingChanged, async (tx, { data }) => {
      await tx.execute(`insert into effects values (${data.n})`);
    }),
  ];
  consume({ database: ownDatabase, handlers });
  for (const n of range(1, 150)) await changeThing(database, n);
  const done = async () => (await database.sql`select n from effects order by n`).map(({ n }) => n);
  for (const count of [20, 60, 100]) {
    await waitFor(async () => (await done()).length > count);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'consumer' and datname = current_database()`;
  }
  await waitFor(async () => (await done()).length >= 150, { until: 'all effects' });
  t.same(await done(), range(1, 150));
  t.same(await database.sql`select 1 from dead_letters`, []);
});

t.test('while the database is down, no event becomes a dead letter and the order is preserved', async (t) => {
  const { database, openBus } = await setup(t);
  const proxy = await startTcpProxy(t, database.url);
  const ownDatabase = connect(proxy.url);
  t.teardown(() => ownDatabase.close());
  const { relay, consume } = openBus();
  relay(database);
  const { numbers, handlers } = recordingHandler();
  consume({ database: ownDatabase, handlers, maxAttempts: 2 });
  await changeThing(database, 1);
  // The handler runs before its transaction is committed.
  await waitFor(async () => (await database.sql`select 1 from inbox`).length === 1);
  proxy.block();
  for (const n of range(2, 30)) await changeThing(database, n);
  await waitFor(() => proxy.refusedConnections() > 5, { until: 'several failed attempts' });
  t.same(numbers, [1]);
  const openedAt = Date.now();
  proxy.unblock();
  await waitFor(() => numbers.length >= 30, { until: 'the rest' });
  t.ok(Date.now() - openedAt < 40_000, `${Date.now() - openedAt} ms`);
  t.same(numbers, range(1, 30));
  t.same(await database.sql`select 1 from dead_letters`, []);
});
