import { createHash } from 'node:crypto';
import { defineEvent } from '@lms/contracts/events/definition';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { openTransaction } from '@lms/database/open-transaction';
import { untilLocked } from '@lms/testing/database';
import { waitFor } from '@lms/testing/wait-for';
import { Type } from '@sinclair/typebox';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { appendEvent } from '../src/append-event.ts';
import { createEventEraser } from '../src/erase-events.ts';
import { recordErasure } from '../src/erasures.ts';
import { on } from '../src/event-handler.ts';
import { openLedger } from '../src/ledger.ts';
import { republishSince } from '../src/republish.ts';
import type { PublishCurrentStates } from '../src/restored-database.ts';
import { deadLetters } from '../src/tables.ts';
import { allPublished, setup } from './setup.ts';

const Person = Type.Object({ id: Type.String(), key: Type.Union([Type.String(), Type.Null()]), email: Type.String() });
const personChanged = defineEvent('test.person.changed', Person);
const filter = 'lms.test.person.*.v1';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const changePerson = (tx: Db, id: string, key: string | null, email: string) =>
  appendEvent(tx, personChanged, { aggregateId: id, data: { id, key, email } });
const logger = pino({ level: 'silent' });

async function start(t: Test, publishCurrentStates: PublishCurrentStates = async () => undefined) {
  const { database, openBus } = await setup(t);
  const { db } = database;
  const opened = openBus();
  opened.relay(database);
  const erase = createEventEraser({ database, bus: opened.bus, subject: filter, publishCurrentStates, logger });
  /** What the stream contains of each person. */
  const streamed = async () => {
    const { manager } = await opened.bus.connected();
    const { state } = await manager.streams.info('LMS_EVENTS');
    const found: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage('LMS_EVENTS', { seq }).catch(() => undefined);
      if (message) found.push(`${message.json<{ id: string }>().id} ${message.json<{ email: string }>().email}`);
    }
    return found;
  };
  const isErased = async () => {
    const rows = await database.sql`select 1 from erasures where stream_erased_at is null`;
    return rows.length === 0;
  };
  const untilErased = () =>
    waitFor(async () => {
      await erase();
      return isErased();
    });
  return { ...opened, database, db, erase, streamed, isErased, untilErased };
}

t.test(
  'the events that identify an erased person are deleted, once a later event and all consumers allow it',
  async (t) => {
    const { database, db, consume, streamed, erase, isErased, untilErased } = await start(t);
    let isBroken = true;
    const handler = on(personChanged, async () => {
      if (isBroken) throw new Error('the consumer is not ready');
    });
    consume({ database, handlers: [handler], filter, maxAttempts: 1_000 });
    await changePerson(db, 'ann', 'key-ann', 'ann@lms.test');
    await changePerson(db, 'ann', 'key-ann', 'ann2@lms.test');
    await changePerson(db, 'bob', 'key-bob', 'bob@lms.test');
    // Had ann's e-mail before.
    await changePerson(db, 'eve', 'key-eve', 'ann@lms.test');
    await changePerson(db, 'eve', 'key-eve', 'eve@lms.test');
    await allPublished(database);

    await db.transaction(async (tx) => {
      await changePerson(tx, 'ann', null, 'erased');
      await recordErasure(tx, { id: 'ann', identifierHashes: ['key-ann', 'ann@lms.test'].map(hashOf) });
    });
    // Has ann's e-mail since.
    await changePerson(db, 'new', 'key-new', 'ann@lms.test');
    await allPublished(database);
    await erase();
    t.equal((await streamed()).length, 7, 'an event that a consumer has not acknowledged stays');
    t.equal(await isErased(), false);

    isBroken = false;
    await untilErased();
    t.same(await streamed(), ['bob bob@lms.test', 'eve eve@lms.test', 'ann erased', 'new ann@lms.test']);
  },
);

t.test('where no later event exists, the current state is published', async (t) => {
  const lost: string[] = [];
  const { database, db, streamed, untilErased } = await start(t, async (tx, events) => {
    for (const { aggregateId } of events) {
      lost.push(aggregateId);
      await changePerson(tx, aggregateId, null, 'erased');
    }
  });
  await changePerson(db, 'thing', 'key-ann', 'ann@lms.test');
  await allPublished(database);
  await recordErasure(db, { id: 'ann', identifierHashes: [hashOf('key-ann')] });
  await untilErased();
  t.same(lost, ['thing'], 'once');
  t.same(await streamed(), ['thing erased']);
});

t.test('a change that is committed meanwhile is not followed by the state before it', async (t) => {
  const published: string[] = [];
  const { database, db, erase, streamed, untilErased } = await start(t, async (tx, events) => {
    for (const { aggregateId } of events) published.push(aggregateId);
    await changePerson(tx, 'thing', null, 'older');
  });
  await changePerson(db, 'thing', 'key-ann', 'ann@lms.test');
  await allPublished(database);
  await recordErasure(db, { id: 'ann', identifierHashes: [hashOf('key-ann')] });
  const { tx, commit } = await openTransaction(db);
  await changePerson(tx, 'thing', null, 'newer');
  const erasing = erase();
  await untilLocked(database);
  await commit();
  await erasing;
  await untilErased();
  t.same(published, []);
  t.same(await streamed(), ['thing newer']);
});

t.test(
  'a stream that loses its end after an erasure gets back what it lost, and nothing that was erased',
  async (t) => {
    const { database, db, bus, streamed, untilErased } = await start(t);
    await changePerson(db, 'ann', 'key-ann', 'ann@lms.test');
    await allPublished(database);
    await db.transaction(async (tx) => {
      await tx.execute(`update outbox set data = data || '{"key": null, "email": "erased"}'`);
      await changePerson(tx, 'ann', null, 'erased');
      await recordErasure(tx, { id: 'ann', identifierHashes: [hashOf('key-ann')] });
    });
    await allPublished(database);
    await untilErased();
    const { manager } = await bus.connected();
    await manager.streams.purge('LMS_EVENTS');
    await republishSince({ db }, new Date(0));
    await allPublished(database);
    const all = await streamed();
    t.ok(
      all.every((event) => event === 'ann erased'),
      `${all}`,
    );
  },
);

t.test('dead letters about an erased person are deleted, and later ones are not stored', async (t) => {
  const { database, db, consume } = await start(t);
  const letter = ([aggregateId, body]: [string, string]) => ({
    ...{ consumer: 'test', eventId: createId(), subject: filter, headers: { 'ce-subject': aggregateId } },
    ...{ body, error: 'Error', attempts: 8 },
  });
  const about: [string, string][] = [
    ['ann', '{"id":"ann"}'],
    ['ann', 'not JSON'],
    ['thing', '{"key":"key\\u002dann"}'],
    ['thing', 'not JSON: "key-ann"'],
  ];
  const others: [string, string][] = [
    ['bob', '{"id":"bob"}'],
    ['bob', 'not JSON: key-bob'],
    ['document', '{"id":"document","uploadedBy":"bob"}'],
    ['document', '{"id":"document","uploadedBy":"ann"}'],
  ];
  await db.insert(deadLetters).values([...about, ...others].map(letter));
  await recordErasure(db, { id: 'ann', identifierHashes: [hashOf('key-ann')] });
  const stored = async () => (await db.select().from(deadLetters)).map(({ body }) => body);
  t.same(
    await stored(),
    others.map(([, body]) => body),
    'also those that name the person by the internal id only stay',
  );

  const failing = on(personChanged, async () => {
    throw new Error('always');
  });
  consume({ database, handlers: [failing], filter, maxAttempts: 1 });
  await changePerson(db, 'ann', 'key-ann', 'ann@lms.test');
  await changePerson(db, 'bob', 'key-bob', 'bob@lms.test');
  await waitFor(async () => (await stored()).length === others.length + 1);
  t.match((await stored()).at(-1), /bob@lms\.test/);
  t.notMatch((await stored()).join(), /key-ann|ann@/);
});

t.test('a ledger keeps its keys, each once', async (t) => {
  const { bus } = (await setup(t)).openBus();
  const ledger = openLedger(bus, { stream: 'TEST_LEDGER', subject: 'ledger.test' });
  t.same(await ledger.keys(), []);
  for (const key of ['a', 'b', 'a']) await ledger.add(key);
  t.same((await ledger.keys()).sort(), ['a', 'b']);
  const again = openLedger(bus, { stream: 'TEST_LEDGER', subject: 'ledger.test' });
  t.same((await again.keys()).sort(), ['a', 'b']);
});
