import { streamName } from '@lms/contracts/events/definition';
import type { Database } from '@lms/database/connect';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { appendEvent } from '../src/append-event.ts';
import { listDeadLetters } from '../src/dead-letters.ts';
import { on } from '../src/event-handler.ts';
import { beginEpochNow, type LostEvent, type PublishCurrentStates } from '../src/restored-database.ts';
import { allPublished, changeThing, range, recordingHandler, setup, slowUpdates, streamedNumbers } from './setup.ts';
import { thingChanged } from './things.ts';

/** A consumer's copy of things, which ignores states that are not newer, and the numbers that it did not ignore. */
function createProjection() {
  const things = new Map<string, { n: number; version: number }>();
  const accepted: number[] = [];
  const handler = on(thingChanged, async (_tx, { data: { id, n }, version }) => {
    if (version <= (things.get(id)?.version ?? 0)) return;
    things.set(id, { n, version });
    accepted.push(n);
  });
  return { things, accepted, handlers: [handler], numberOf: (id: string) => things.get(id)?.n };
}

const versionsOf = async ({ sql }: Pick<Database, 'sql'>, id: string) =>
  (await sql`select version from outbox where aggregate_id = ${id} order by ordinal`).map(({ version }) => version);

t.test('after a database was restored to an earlier moment, its events are accepted again', async (t) => {
  const { database, openBus } = await setup(t);
  const { things, handlers, numberOf } = createProjection();
  openBus().consume({ database, handlers });
  const first = openBus();
  first.relay(database);
  for (const [id, n] of [
    ['a', 1],
    ['a', 2],
    ['a', 3],
    ['b', 1],
    ['c', 1],
  ] as const)
    await changeThing(database, n, id);
  await waitFor(() => things.size === 3);
  await allPublished(database);
  await first.close();

  // As it was after the first event of a. Then a changes, before the relay starts.
  await database.sql`delete from outbox where aggregate_id <> 'a' or version > 1`;
  await database.sql`delete from aggregate_versions where aggregate_id <> 'a'`;
  await database.sql`update aggregate_versions set version = 1`;
  await changeThing(database, 10, 'a');
  const lost: LostEvent[] = [];
  const publishCurrentStates: PublishCurrentStates = async (tx, events) => {
    lost.push(...events);
    await appendEvent(tx, thingChanged, { aggregateId: 'b', data: { id: 'b', n: 20 } });
  };
  const second = openBus();
  second.relay(database, 'test', publishCurrentStates);
  await waitFor(() => numberOf('a') === 10 && numberOf('b') === 20, { until: 'the states of the restored database' });
  t.same(
    lost.map(({ aggregateId, type, data }) => [aggregateId, type, data]),
    [
      ['a', 'test.thing.changed', { id: 'a', n: 3 }],
      ['b', 'test.thing.changed', { id: 'b', n: 1 }],
      ['c', 'test.thing.changed', { id: 'c', n: 1 }],
    ],
  );
  t.ok(Number(things.get('a')?.version) > 1_000_000);
  await changeThing(database, 11, 'a');
  await changeThing(database, 1, 'd');
  await waitFor(() => numberOf('a') === 11 && numberOf('d') === 1);
  await allPublished(database);
  await second.close();

  const third = openBus();
  third.relay(database, 'test', publishCurrentStates);
  await changeThing(database, 12, 'a');
  await waitFor(() => numberOf('a') === 12);
  const epochs = async () =>
    (await database.sql`select epoch from event_epochs order by epoch`).map((row) => row.epoch);
  t.same(await epochs(), [1], 'a restart begins no epoch');
  await third.close();

  await database.sql`delete from outbox where aggregate_id <> 'a' or version > 1`;
  await database.sql`truncate event_epochs`;
  await database.sql`update aggregate_versions set version = 1`;
  openBus().relay(database);
  await waitFor(async () => (await epochs()).length > 0);
  await changeThing(database, 30, 'a');
  await waitFor(() => numberOf('a') === 30, { until: 'the state after the second restore' });
  t.same(await epochs(), [2], 'higher than the epoch that was lost');
  t.same(await listDeadLetters(database.db), []);
});

t.test('another event with the version of a handled one becomes a dead letter, until a new epoch begins', async (t) => {
  const { database, openBus } = await setup(t);
  const { handlers, numberOf } = createProjection();
  const { bus, consume } = openBus();
  consume({ database, handlers });
  const first = openBus();
  first.relay(database);
  for (const n of [1, 2, 3]) await changeThing(database, n, 'a');
  await waitFor(() => numberOf('a') === 3);
  await allPublished(database);
  await first.close();
  // The stream, which knows the latest version, is lost as well.
  const { manager } = await bus.connected();
  await manager.streams.delete(streamName);
  await database.sql`delete from outbox where version > 1`;
  await database.sql`update aggregate_versions set version = 1`;
  await changeThing(database, 4, 'a');
  openBus().relay(database);
  const [letter] = await waitFor(async () => {
    const letters = await listDeadLetters(database.db);
    return letters.length > 0 ? letters : undefined;
  });
  t.match(letter, { attempts: 1, error: /VersionConflict: another event was handled with version 2 of a/ });
  t.equal(numberOf('a'), 3);

  t.equal(await beginEpochNow(database.db), 1);
  await waitFor(() => numberOf('a') === 4, { until: 'the state in the new epoch' });
  t.equal((await listDeadLetters(database.db)).length, 1);
});

t.test('in an epoch that begins by hand after another, the last state of an aggregate is still the last', async (t) => {
  const { database, openBus } = await setup(t);
  const { things, handlers } = createProjection();
  const { relay, consume } = openBus();
  relay(database);
  consume({ database, handlers });
  for (const n of [1, 2, 3]) await changeThing(database, n, 'a');
  await database.sql`insert into event_epochs (epoch) values (1)`;
  t.equal(await changeThing(database, 4, 'a'), 1_000_001);
  await changeThing(database, 1, 'b');
  await allPublished(database);
  t.equal(await beginEpochNow(database.db), 2);
  t.equal(await changeThing(database, 5, 'a'), 2_000_005);
  await waitFor(() => things.get('a')?.n === 5 && Number(things.get('b')?.version) > 2_000_000);
  t.same(await listDeadLetters(database.db), []);
  t.same(await versionsOf(database, 'a'), [0, 0, 0, 2_000_004, 2_000_005]);
  t.same(Object.fromEntries(things), { a: { n: 5, version: 2_000_005 }, b: { n: 1, version: 2_000_001 } });
});

t.test(
  'in an epoch that begins by hand, consumers get all events again and do not go back to older states',
  async (t) => {
    const { database, openBus } = await setup(t);
    const { accepted, handlers } = createProjection();
    const log = recordingHandler();
    const { relay, consume } = openBus();
    relay(database);
    consume({ database, handlers });
    consume({ database, handlers: log.handlers, durable: 'log' });
    const all = [1, 2, 3];
    for (const n of all) await changeThing(database, n, 'a');
    for (const epoch of [1, 2]) {
      await waitFor(() => log.numbers.length === 3 * epoch && accepted.length >= 2 + epoch);
      await allPublished(database);
      t.equal(await beginEpochNow(database.db), epoch);
    }
    await changeThing(database, 4, 'a');
    await waitFor(() => log.numbers.length === 10 && accepted.includes(4));
    t.same(log.numbers, [...all, ...all, ...all, 4]);
    t.same(accepted, [...all, 3, 3, 4]);

    const late = createProjection();
    consume({ database, handlers: late.handlers, durable: 'late' });
    await waitFor(() => late.accepted.includes(4));
    t.same(late.accepted, accepted, 'also a consumer that starts later');
    t.same(await listDeadLetters(database.db), []);
  },
);

t.test('older states stay older if another epoch begins before they are published', async (t) => {
  const { database, openBus } = await setup(t);
  const first = openBus();
  first.relay(database);
  for (const n of [1, 2]) await changeThing(database, n, 'a');
  await changeThing(database, 1, 'b');
  await allPublished(database);
  await first.close();
  await database.sql`delete from outbox where aggregate_id = 'b'`;
  t.equal(await beginEpochNow(database.db), 1);
  t.same(await versionsOf(database, 'a'), [0, 1_000_002]);
  openBus().relay(database);
  await allPublished(database);
  t.same(await versionsOf(database, 'a'), [0, 2_000_001]);
  t.equal(await changeThing(database, 3, 'a'), 2_000_002);
});

t.test('an epoch of many events begins, however long it takes to mark them', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  for (const n of range(1, 60)) await changeThing(database, n);
  await allPublished(database);
  t.equal(await beginEpochNow((await slowUpdates(t, database)).db), 1);
  await waitFor(async () => (await streamedNumbers(bus)).length >= 120, { until: 'the events of the new epoch' });
  t.same(await streamedNumbers(bus), [...range(1, 60), ...range(1, 60)]);
});
