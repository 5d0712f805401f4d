import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { streamName } from '@lms/contracts/events/definition';
import type { Database } from '@lms/database/connect';
import { testDatabase } from '@lms/testing/database';
import type { TestServer } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { on } from '../src/event-handler.ts';
import { markLost } from '../src/republish.ts';
import {
  allPublished,
  changeThing,
  createEffects,
  effects,
  range,
  setup,
  slowUpdates,
  streamedNumbers,
} from './setup.ts';
import { recordEffect, thingChanged } from './things.ts';

const migrations = join(import.meta.dirname, '../test/migrations');
const streamFolder = 'jetstream/$G/streams/LMS_EVENTS';

/** Copies a folder of the store. The returned function sets the store back to it; NATS is stopped then. */
async function copyStore(nats: TestServer, folder: string) {
  const [from, to] = [join(nats.directory, folder), join(nats.directory, 'copy')];
  await nats.kill();
  await cp(from, to, { recursive: true });
  await nats.restart();
  return async () => {
    await nats.kill();
    await rm(from, { recursive: true });
    await cp(to, from, { recursive: true });
  };
}

async function publish(database: Database, from: number, to: number) {
  for (const n of range(from, to)) await changeThing(database, n);
  await allPublished(database);
}

t.test('events that the stream has lost are published again', async (t) => {
  const { nats, database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  await publish(database, 1, 10);
  const setBack = await copyStore(nats, streamFolder);
  await publish(database, 11, 20);
  await setBack();
  await nats.restart();
  const streamed = () => streamedNumbers(bus).catch(() => []);
  await waitFor(async () => (await streamed()).length >= 20);
  t.same(await streamed(), range(1, 20));
});

t.test('lost events are published again in their order, however long it takes to mark them', async (t) => {
  const { database, openBus } = await setup(t);
  const first = openBus();
  first.relay(database);
  for (const n of range(1, 60)) await changeThing(database, n, `thing-${n % 3}`);
  await allPublished(database);
  await first.close();
  const { bus, relay } = openBus();
  const { manager } = await bus.connected();
  await manager.streams.delete(streamName);
  const slow = await slowUpdates(t, database);
  relay(slow);
  openBus().relay(slow);
  const streamed = () => streamedNumbers(bus).catch(() => []);
  await waitFor(async () => (await streamed()).length >= 60, { until: 'the lost events' });
  t.same(await streamed(), range(1, 60));
});

t.test('events that another process publishes while the stream is checked are not lost', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  await publish(database, 1, 1);
  const { manager } = await bus.connected();
  const streams: typeof manager.streams = Object.create(manager.streams);
  streams.getMessage = async (...query) => {
    await publish(database, 2, 2);
    return manager.streams.getMessage(...query);
  };
  const checked = Object.assign(Object.create(manager), { streams });
  t.equal(await markLost(database.db, checked, await bus.ensureStream()), 0);
});

t.test('lost events are published again if other events have their sequences now', async (t) => {
  const { nats, database, openBus } = await setup(t);
  const other = await testDatabase(t, migrations);
  const first = openBus();
  first.relay(database);
  await publish(database, 1, 10);
  const setBack = await copyStore(nats, streamFolder);
  await publish(database, 11, 20);
  await first.close();
  await setBack();
  await nats.restart();
  const { bus, relay } = openBus();
  relay(other, 'other');
  await publish(other, 31, 50);
  relay(database);
  await waitFor(async () => (await streamedNumbers(bus)).length >= 40);
  t.same(await streamedNumbers(bus), [...range(1, 10), ...range(31, 50), ...range(11, 20)]);
});

t.test('a consumer that is ahead of the stream misses nothing', async (t) => {
  const { nats, database, openBus } = await setup(t);
  const other = await testDatabase(t, migrations);
  await createEffects(database);
  const first = openBus();
  const handlers = [on(thingChanged, (tx, { data }) => recordEffect(tx, data))];
  first.relay(database);
  first.consume({ database, handlers });
  await publish(database, 1, 10);
  await waitFor(async () => (await effects(database)).length === 10);
  // The messages without the state of the consumers.
  const setBack = await copyStore(nats, join(streamFolder, 'msgs'));
  await publish(database, 11, 20);
  await waitFor(async () => (await effects(database)).length === 20);
  await first.close();
  await setBack();
  await nats.restart();
  const { relay, consume } = openBus();
  relay(other, 'other');
  await publish(other, 31, 50);
  consume({ database, handlers });
  relay(database);
  await waitFor(async () => (await effects(database)).length >= 40);
  await allPublished(database);
  t.same(await effects(database), [...range(1, 20), ...range(31, 50)], 'each once');
});

t.test('a consumer whose database was set back handles the events again that it has lost', async (t) => {
  const { database, openBus } = await setup(t);
  await createEffects(database);
  const first = openBus();
  const handlers = [on(thingChanged, (tx, { data }) => recordEffect(tx, data))];
  first.relay(database);
  first.consume({ database, handlers });
  await publish(database, 1, 20);
  await waitFor(async () => (await effects(database)).length === 20);
  await first.close();
  await database.sql`delete from inbox where stream_sequence > 10`;
  await database.sql`delete from effects where n > 10`;
  const second = openBus();
  second.consume({ database, handlers });
  await waitFor(async () => (await effects(database)).length === 20);
  t.same(await effects(database), range(1, 20));
  await second.close();
  await database.sql`truncate inbox, effects`;
  openBus().consume({ database, handlers });
  await waitFor(async () => (await effects(database)).length === 20);
  t.same(await effects(database), range(1, 20), 'a new database');
});

t.test('after the stream was deleted, a consumer handles new events only, also after a restart', async (t) => {
  const { database, openBus } = await setup(t);
  await createEffects(database);
  const handlers = [on(thingChanged, (tx, { data }) => recordEffect(tx, data))];
  const first = openBus();
  first.relay(database);
  first.consume({ database, handlers });
  await publish(database, 1, 20);
  await waitFor(async () => (await effects(database)).length === 20);
  const { manager } = await first.bus.connected();
  await manager.streams.delete(streamName);
  await publish(database, 21, 25);
  await waitFor(async () => (await effects(database)).length === 25);
  await first.close();
  const positions = () => database.sql`select event_id, stream_sequence::int from inbox order by stream_sequence`;
  const before = await positions();
  const second = openBus();
  second.consume({ database, handlers });
  second.relay(database);
  await publish(database, 26, 26);
  await waitFor(async () => (await effects(database)).length === 26);
  t.same((await positions()).slice(0, 25), before);
  t.same(
    (await positions()).map((row) => row.stream_sequence),
    range(1, 26),
    'the sequences of the new stream',
  );
});

t.test('a consumer that stops again and again at an event does not go back to the start of the stream', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, bus } = openBus();
  relay(database);
  await publish(database, 1, 3);
  for (const attempt of range(1, 3)) {
    const process = openBus();
    const numbers: number[] = [];
    const handler = on(thingChanged, async (_tx, { data }) => {
      numbers.push(data.n);
      if (data.n === 3) throw new Error('cannot handle three');
    });
    process.consume({ database, handlers: [handler] });
    await waitFor(() => numbers.includes(3), { until: `attempt ${attempt}` });
    await process.close();
  }
  const { manager } = await bus.connected();
  t.match(await manager.consumers.info(streamName, 'test'), { config: { opt_start_seq: 3 } });
});
