import { streamName } from '@lms/contracts/events/definition';
import { waitFor } from '@lms/testing/wait-for';
import { eq } from 'drizzle-orm';
import { headers } from 'nats';
import t from 'tap';
import { listDeadLetters, replayDeadLetter } from '../src/dead-letters.ts';
import { on } from '../src/event-handler.ts';
import { deadLetters, inbox } from '../src/tables.ts';
import { changeThing, createEffects, effects, range, recordingHandler, setup } from './setup.ts';
import { recordEffect, thingChanged } from './things.ts';

t.test('each event is handled once and in order, with its inbox row in the same transaction', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  relay(database);
  const { numbers, handlers } = recordingHandler();
  consume({ database, handlers });
  for (const n of range(1, 100)) await changeThing(database, n);
  // The last handler runs before its inbox row is committed.
  const inboxRows = () => database.db.select().from(inbox).where(eq(inbox.consumer, 'test'));
  await waitFor(async () => (await inboxRows()).length >= 100);
  t.same(numbers, range(1, 100));
  t.equal((await inboxRows()).length, 100);
});

t.test('an event arrives as it was published', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  relay(database);
  const events: unknown[] = [];
  consume({ database, handlers: [on(thingChanged, async (_tx, event) => events.push(event))] });
  await changeThing(database, 7, 'a');
  await waitFor(() => events.length > 0);
  t.match(events[0], {
    id: /^[a-z0-9]{24}$/,
    type: 'test.thing.changed',
    aggregateId: 'a',
    data: { id: 'a', n: 7 },
    version: 1,
    actorId: null,
    requestId: null,
    time: Date,
  });
  t.notOk(Object.hasOwn(Object(events[0]), 'changes'));
});

t.test('a redelivered event has no effect', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay, consume } = openBus();
  relay(database);
  const first = recordingHandler();
  consume({ database, handlers: first.handlers });
  for (const n of range(1, 10)) await changeThing(database, n);
  await waitFor(() => first.numbers.length === 10);
  // A new durable consumer gets all events from the beginning.
  const { manager } = await bus.connected();
  await manager.consumers.delete(streamName, 'test');
  await waitFor(
    async () => {
      const info = await manager.consumers.info(streamName, 'test').catch(() => undefined);
      return info?.ack_floor.stream_seq === 10;
    },
    { until: 'the second delivery' },
  );
  t.same(first.numbers, range(1, 10));
  const second = openBus();
  const other = recordingHandler();
  second.consume({ database, durable: 'another', handlers: other.handlers });
  await waitFor(() => other.numbers.length === 10);
  t.same(other.numbers, range(1, 10), 'another consumer gets all events');
});

t.test('of two processes with one consumer, one handles the events until it stops', async (t) => {
  const { database, openBus } = await setup(t);
  const [one, two] = [recordingHandler(), recordingHandler()];
  const first = openBus();
  first.consume({ database, handlers: one.handlers });
  openBus().relay(database);
  await changeThing(database, 1);
  await waitFor(() => one.numbers.length === 1);
  openBus().consume({ database, handlers: two.handlers });
  for (const n of range(2, 50)) await changeThing(database, n);
  await waitFor(() => one.numbers.length === 50);
  await first.close();
  for (const n of range(51, 100)) await changeThing(database, n);
  await waitFor(() => two.numbers.length === 50);
  t.same([...one.numbers, ...two.numbers], range(1, 100));
});

t.test('a failing event is retried and then becomes a dead letter, while others continue', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  relay(database);
  const attempts: number[] = [];
  let repaired = false;
  const handlers = [
    on(thingChanged, async (tx, { data }) => {
      await recordEffect(tx, data);
      if (data.n !== 2 || repaired) return;
      attempts.push(Date.now());
      throw new Error('cannot handle two');
    }),
  ];
  await createEffects(database);
  consume({ database, handlers, maxAttempts: 3 });
  for (const n of range(1, 5)) await changeThing(database, n);
  const [letter] = await waitFor(async () => {
    const letters = await listDeadLetters(database.db);
    return letters.length > 0 ? letters : undefined;
  });
  await waitFor(async () => (await effects(database)).length === 4, { until: 'the other events' });
  t.same(await effects(database), [1, 3, 4, 5], 'others did not wait for it, and a failed attempt has no effect');
  const [first = 0, second = 0, third = 0] = attempts.slice(-3);
  t.ok(second - first >= 100 && third - second >= 450, `waits ${second - first} and ${third - second} ms`);
  t.match(letter, {
    consumer: 'test',
    subject: 'lms.test.thing.changed.v1',
    error: /cannot handle two/,
    attempts: 3,
    headers: { 'ce-type': 'test.thing.changed' },
  });

  const id = letter?.id ?? '';
  await t.rejects(replayDeadLetter(database.db, handlers, id), /cannot handle two/);
  t.equal((await listDeadLetters(database.db)).length, 1, 'the dead letter stays');
  repaired = true;
  await replayDeadLetter(database.db, handlers, id);
  t.same(await listDeadLetters(database.db), []);
  await replayDeadLetter(database.db, handlers, id);
  t.same(await effects(database), [1, 3, 4, 5, 2], 'replaying it again has no effect');
  await t.rejects(replayDeadLetter(database.db, handlers, 'unknown'), /Dead letter unknown not found/);
});

t.test('an unreadable event becomes a dead letter at once, and only one', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, consume } = openBus();
  await bus.ensureStream();
  const { jetstream } = await bus.connected();
  const publish = (body: string, id: string, type = thingChanged.type) => {
    const messageHeaders = headers();
    messageHeaders.set('ce-type', type);
    if (id) messageHeaders.set('ce-id', id);
    return jetstream.publish(thingChanged.subject, body, { headers: messageHeaders });
  };
  await publish('{', 'not-json');
  await publish('{"id":"a","n":"seven","version":1}', 'wrong-shape');
  await publish('{"id":"a","n":7}', 'no-version');
  await publish('null', 'null');
  await publish('{', '');
  await publish('{', 'other-type', 'test.thing.renamed');
  await publish('{', 'not-json');
  await publish('{"id":"a","n":7,"version":1,"added":"later"}', 'good');
  const { numbers, handlers } = recordingHandler();
  consume({ database, handlers });
  await waitFor(async () => (await database.sql`select 1 from inbox where event_id = 'good'`).length > 0);
  const letters = await waitFor(async () => {
    const rows = await database.db.select().from(deadLetters);
    return rows.length >= 5 ? rows : undefined;
  });
  t.equal(numbers.at(-1), 7, 'an unknown field is ignored');
  t.same(
    letters.map(({ eventId, attempts }) => [eventId, attempts]).sort(),
    [
      [`${streamName}:5`, 1],
      ['not-json', 1],
      ['no-version', 1],
      ['null', 1],
      ['wrong-shape', 1],
    ].sort(),
  );
  const [first] = letters;
  await t.rejects(replayDeadLetter(database.db, handlers, first?.id ?? ''));
  await t.rejects(replayDeadLetter(database.db, [], first?.id ?? ''), /has no handler/);
});

t.test('inbox rows and replayed dead letters older than the retention of the stream are deleted', async (t) => {
  const { database, openBus } = await setup(t);
  await database.sql`
    insert into inbox (consumer, event_id, received_at)
    values ('test', 'old', now() - interval '32 days'), ('test', 'young', now() - interval '30 days')`;
  await database.sql`
    insert into dead_letters (id, consumer, event_id, subject, body, headers, error, attempts, created_at, replayed_at)
    select id, 'test', id, 's', '{}', '{}', 'x', 8, now() - interval '99 days', now() - days * interval '1 day'
    from (values ('old', 32), ('young', 30), ('waiting', null)) as letter(id, days)`;
  const { relay } = openBus();
  relay(database);
  const inboxRows = async () => (await database.sql`select event_id from inbox`).map((row) => row.event_id);
  await waitFor(async () => (await inboxRows()).length < 2, { until: 'the cleanup' });
  t.same(await inboxRows(), ['young']);
  t.same(await database.sql`select id from dead_letters order by id`, [{ id: 'waiting' }, { id: 'young' }]);
});
