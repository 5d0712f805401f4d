import { streamName } from '@lms/contracts/events/definition';
import { connect } from '@lms/database/connect';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { allPublished, changeThing, range, setup, streamedNumbers } from './setup.ts';

t.test('events from while NATS was down are published in order when it is back', async (t) => {
  const { database, openBus, nats } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  for (const n of range(1, 20)) await changeThing(database, n);
  await allPublished(database);
  await nats.kill();
  for (const n of range(21, 80)) await changeThing(database, n);
  const restartedAt = Date.now();
  await nats.restart();
  await allPublished(database);
  t.ok(Date.now() - restartedAt < 40_000, `${Date.now() - restartedAt} ms`);
  t.same(await streamedNumbers(bus), range(1, 80));
});

t.test('a relay continues after its database sessions were terminated', async (t) => {
  const { database, openBus } = await setup(t);
  const ownDatabase = connect(database.url, { applicationName: 'relay' });
  t.teardown(() => ownDatabase.close());
  const { bus, relay } = openBus();
  relay(ownDatabase);
  const published = async () => (await database.sql`select 1 from outbox where published_at is not null`).length;
  const writing = (async () => {
    for (const n of range(1, 200)) await changeThing(database, n);
  })();
  for (const count of [20, 70, 120]) {
    await waitFor(async () => (await published()) > count);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'relay' and datname = current_database()`;
  }
  await writing;
  await allPublished(database);
  t.same(await streamedNumbers(bus), range(1, 200));
});

t.test('a deleted stream is created again and gets all events of the outbox', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  for (const n of range(1, 5)) await changeThing(database, n);
  await allPublished(database);
  const { manager } = await bus.connected();
  await manager.streams.delete(streamName);
  await waitFor(
    async () => {
      const published = await streamedNumbers(bus).catch(() => []);
      return published.length === 5;
    },
    { until: 'a new stream with all events' },
  );
  await changeThing(database, 6);
  await allPublished(database);
  t.same(await streamedNumbers(bus), range(1, 6));
});
