import { streamName } from '@lms/contracts/events/definition';
import { connect } from '@lms/database/connect';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { allPublished, changeThing, range, setup, streamedNumbers } from './setup.ts';

t.test('what happened while NATS was away is told in order when it is back', async (t) => {
  const { database, openLine, nats } = await setup(t);
  const { bus, relay } = openLine();
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

t.test('a relay outlives the end of its database sessions', async (t) => {
  const { database, openLine } = await setup(t);
  const mine = connect(database.url, { applicationName: 'relay' });
  t.teardown(() => mine.close());
  const { bus, relay } = openLine();
  relay(mine);
  const told = async () => (await database.sql`select 1 from outbox where published_at is not null`).length;
  const writing = (async () => {
    for (const n of range(1, 200)) await changeThing(database, n);
  })();
  for (const count of [20, 70, 120]) {
    await waitFor(async () => (await told()) > count);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'relay' and datname = current_database()`;
  }
  await writing;
  await allPublished(database);
  t.same(await streamedNumbers(bus), range(1, 200));
});

t.test('a stream that was deleted is made anew and told what the outbox keeps', async (t) => {
  const { database, openLine } = await setup(t);
  const { bus, relay } = openLine();
  relay(database);
  for (const n of range(1, 5)) await changeThing(database, n);
  await allPublished(database);
  const { manager } = await bus.connected();
  await manager.streams.delete(streamName);
  await waitFor(
    async () => {
      const told = await streamedNumbers(bus).catch(() => []);
      return told.length === 5;
    },
    { until: 'the stream to be back' },
  );
  await changeThing(database, 6);
  await allPublished(database);
  t.same(await streamedNumbers(bus), range(1, 6));
});
