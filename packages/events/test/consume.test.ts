import { streamName } from '@lms/contracts/events/definition';
import { waitFor } from '@lms/testing/wait-for';
import { eq } from 'drizzle-orm';
import { headers } from 'nats';
import t from 'tap';
import { on } from '../src/consume.ts';
import { listDeadLetters, replayDeadLetter } from '../src/dead-letters.ts';
import { aggregateVersions, deadLetters, inbox } from '../src/tables.ts';
import { changeThing, notes, range, setup, thingChanged } from './setup.ts';

t.test('each event is heard once and in order, with its effect and inbox row in one transaction', async (t) => {
  const { database, openLine } = await setup(t);
  const { relay, consume } = openLine();
  relay(database);
  const { heard, listeners } = notes();
  consume({ database, handlers: listeners });
  for (const n of range(1, 100)) await changeThing(database, n);
  // The last one is heard within its transaction, and noted when that ends.
  const noted = () => database.db.select().from(inbox).where(eq(inbox.consumer, 'test'));
  await waitFor(async () => (await noted()).length >= 100);
  t.same(heard, range(1, 100));
  t.equal((await noted()).length, 100);
});

t.test('an event arrives as it was told', async (t) => {
  const { database, openLine } = await setup(t);
  const { relay, consume } = openLine();
  relay(database);
  const events: unknown[] = [];
  consume({ database, handlers: [on(thingChanged, async (_tx, event) => events.push(event))] });
  await changeThing(database, 7, 'a');
  await waitFor(() => events.length > 0);
  t.match(events[0], {
    id: /^[a-z0-9]{24}$/,
    type: 'test.thing.changed',
    data: { id: 'a', n: 7 },
    version: 1,
    actorId: null,
    requestId: null,
    time: Date,
  });
  t.notOk(Object.hasOwn(Object(events[0]), 'changes'));
});

t.test('what is delivered again changes nothing', async (t) => {
  const { database, openLine } = await setup(t);
  const { bus, relay, consume } = openLine();
  relay(database);
  const first = notes();
  consume({ database, handlers: first.listeners });
  for (const n of range(1, 10)) await changeThing(database, n);
  await waitFor(() => first.heard.length === 10);
  // A consumer that is made anew is delivered everything from the beginning.
  const { manager } = await bus.connected();
  await manager.consumers.delete(streamName, 'test');
  await waitFor(
    async () => {
      const info = await manager.consumers.info(streamName, 'test').catch(() => undefined);
      return info?.ack_floor.stream_seq === 10;
    },
    { until: 'the second delivery' },
  );
  t.same(first.heard, range(1, 10));
  const second = openLine();
  const other = notes();
  second.consume({ database, durable: 'another', handlers: other.listeners });
  await waitFor(() => other.heard.length === 10);
  t.same(other.heard, range(1, 10), 'another consumer hears all of it');
});

t.test('two processes with one consumer share its events', async (t) => {
  const { database, openLine } = await setup(t);
  const [one, two] = [notes(), notes()];
  for (const { listeners } of [one, two]) openLine().consume({ database, handlers: listeners });
  openLine().relay(database);
  for (const n of range(1, 100)) await changeThing(database, n);
  await waitFor(() => one.heard.length + two.heard.length >= 100);
  t.same(
    [...one.heard, ...two.heard].sort((a, b) => a - b),
    range(1, 100),
  );
});

t.test('a failing event is tried again, then set aside with its reason; others go on', async (t) => {
  const { database, openLine } = await setup(t);
  const { relay, consume } = openLine();
  relay(database);
  const heard: number[] = [];
  const attempts: number[] = [];
  let repaired = false;
  const listeners = [
    on(thingChanged, async (tx, { data }) => {
      await tx.insert(aggregateVersions).values({ aggregateId: `effect-${data.n}`, version: 1 });
      if (data.n === 2 && !repaired) {
        attempts.push(Date.now());
        throw new Error('cannot do two');
      }
      heard.push(data.n);
    }),
  ];
  consume({ database, handlers: listeners, maxAttempts: 3 });
  for (const n of range(1, 5)) await changeThing(database, n);
  const [letter] = await waitFor(async () => {
    const letters = await listDeadLetters(database.db);
    return letters.length > 0 ? letters : undefined;
  });
  t.same(heard, [1, 3, 4, 5], 'others did not wait');
  const [first = 0, second = 0, third = 0] = attempts;
  t.equal(attempts.length, 3);
  t.ok(second - first >= 100 && third - second >= 450, `waits ${second - first} and ${third - second} ms`);
  t.match(letter, {
    consumer: 'test',
    subject: 'lms.test.thing.changed.v1',
    error: /cannot do two/,
    attempts: 3,
    headers: { 'ce-type': 'test.thing.changed' },
  });
  const effect = () => database.sql`select 1 from aggregate_versions where aggregate_id = 'effect-2'`;
  t.equal((await effect()).length, 0, 'a failure leaves nothing');

  const id = letter?.id ?? '';
  await t.rejects(replayDeadLetter(database.db, listeners, id), /cannot do two/);
  t.equal((await listDeadLetters(database.db)).length, 1, 'it stays where it is');
  repaired = true;
  await replayDeadLetter(database.db, listeners, id);
  t.equal((await effect()).length, 1);
  t.same(await listDeadLetters(database.db), []);
  await replayDeadLetter(database.db, listeners, id);
  t.same(heard, [1, 3, 4, 5, 2], 'once more changes nothing');
  await t.rejects(replayDeadLetter(database.db, listeners, 'unknown'), /There is no dead letter/);
});

t.test('what cannot be read is set aside at once, and only once', async (t) => {
  const { database, openLine } = await setup(t);
  const { bus, consume } = openLine();
  await bus.ensureStream();
  const { jetstream } = await bus.connected();
  const say = (body: string, id: string, type = thingChanged.type) => {
    const made = headers();
    made.set('ce-type', type);
    if (id) made.set('ce-id', id);
    return jetstream.publish(thingChanged.subject, body, { headers: made });
  };
  await say('{', 'no-json');
  await say('{"id":"a","n":"seven","version":1}', 'wrong-shape');
  await say('{"id":"a","n":7}', 'no-version');
  await say('null', 'null');
  await say('{', '');
  await say('{', 'foreign', 'test.thing.renamed');
  await say('{', 'no-json');
  await say('{"id":"a","n":7,"version":1,"added":"later"}', 'good');
  const { heard, listeners } = notes();
  consume({ database, handlers: listeners });
  await waitFor(() => heard.length > 0);
  t.same(heard, [7], 'a field that is not known yet does no harm');
  const letters = await database.db.select().from(deadLetters);
  t.same(
    letters.map(({ eventId, attempts }) => [eventId, attempts]).sort(),
    [
      [`${streamName}:5`, 1],
      ['no-json', 1],
      ['no-version', 1],
      ['null', 1],
      ['wrong-shape', 1],
    ].sort(),
  );
  const [first] = letters;
  await t.rejects(replayDeadLetter(database.db, listeners, first?.id ?? ''));
  await t.rejects(replayDeadLetter(database.db, [], first?.id ?? ''), /Nobody listens/);
});
