import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Database } from '@lms/database/connect';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { appendEvents } from '../src/append-event.ts';
import { listDeadLetters } from '../src/dead-letters.ts';
import { on } from '../src/event-handler.ts';
import { allPublished, changeThing, createEffects, effects, range, setup } from './setup.ts';
import { recordEffect, thingChanged } from './things.ts';

const aggregates = range(0, 9).map((index) => `thing-${index}`);
const aggregateOf = (n: number) => `thing-${n % aggregates.length}`;

/** Appends the events of that many changes, one of each aggregate after the other. */
async function changeThings({ db }: Pick<Database, 'db'>, count: number) {
  for (let first = 1; first <= count; first += aggregates.length) {
    const changes = range(first, Math.min(first + aggregates.length - 1, count)).map((n) => {
      const id = aggregateOf(n);
      return { aggregateId: id, data: { id, n } };
    });
    await db.transaction((tx) => appendEvents(tx, thingChanged, changes));
  }
}

t.test('the events of one aggregate are handled in order, and batches share a transaction', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  await createEffects(database);
  relay(database);
  await changeThings(database, 300);
  await allPublished(database);
  const transactions = new Set<unknown>();
  const handler = on(thingChanged, async (tx, { data }) => {
    const [row] = await tx.execute('select pg_current_xact_id()::text as id');
    transactions.add(row?.id);
    await recordEffect(tx, data);
  });
  consume({ database, handlers: [handler] });
  await waitFor(async () => (await effects(database)).length === 300);
  for (const id of aggregates)
    t.same(
      await effects(database, id),
      range(1, 300).filter((n) => aggregateOf(n) === id),
    );
  t.ok(transactions.size < 150, `${transactions.size} transactions`);
});

t.test('one bad event in a batch fails alone, and later events of its aggregate wait for it', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  await createEffects(database);
  relay(database);
  await changeThings(database, 100);
  await allPublished(database);
  let isRepaired = false;
  const handler = on(thingChanged, async (tx, { data }) => {
    await recordEffect(tx, data);
    // The statement makes the transaction unusable for the other events of the batch.
    if (data.n === 42 && !isRepaired) await tx.execute('select 1 / 0');
  });
  consume({ database, handlers: [handler] });
  const others = range(1, 100).filter((n) => aggregateOf(n) !== 'thing-2');
  await waitFor(async () => (await effects(database)).length === others.length + 4);
  t.same(await effects(database, 'thing-2'), [2, 12, 22, 32], 'the events after the failed one wait');
  isRepaired = true;
  await waitFor(async () => (await effects(database)).length === 100);
  for (const id of aggregates)
    t.same(
      await effects(database, id),
      range(1, 100).filter((n) => aggregateOf(n) === id),
    );
  t.same(await listDeadLetters(database.db), []);
});

t.test('events after a dead letter of their aggregate are handled', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  await createEffects(database);
  relay(database);
  for (const n of range(1, 6)) await changeThing(database, n, 'one');
  const handler = on(thingChanged, async (tx, { data }) => {
    await recordEffect(tx, data);
    if (data.n === 3) throw new Error('cannot handle three');
  });
  consume({ database, handlers: [handler], maxAttempts: 2 });
  await waitFor(async () => (await effects(database)).length === 5);
  t.same(await effects(database), [1, 2, 4, 5, 6]);
  t.same(
    (await listDeadLetters(database.db)).map(({ attempts }) => attempts),
    [2],
  );
});

t.test('events that wait for a failed one are not delayed by a clock that is set back', async (t) => {
  const { database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  await createEffects(database);
  relay(database);
  let attempts = 0;
  let isRepaired = false;
  const handler = on(thingChanged, async (tx, { data }) => {
    attempts += 1;
    if (!isRepaired) throw new Error('not yet');
    await recordEffect(tx, data);
  });
  consume({ database, handlers: [handler] });
  await changeThing(database, 1, 'one');
  await waitFor(() => attempts > 3);
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  Date.now = () => now() - 3_600_000;
  await changeThing(database, 2, 'one');
  await allPublished(database);
  isRepaired = true;
  await waitFor(async () => (await effects(database)).length === 2, { timeoutMs: 40_000 });
  t.same(await effects(database), [1, 2]);
});

/** Runs a consumer in its own process, which is killed by the time it has handled that many events. */
async function consumeUntilKilled(t: Test, natsUrl: string, databaseUrl: string, count: number) {
  const file = join(import.meta.dirname, 'programs/consume-effects.js');
  const child = spawn(process.execPath, [file, natsUrl, databaseUrl, String(count)], { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  t.same(await once(child, 'exit'), [null, 'SIGKILL']);
}

t.test('after a consumer was killed within a batch, each event has its effect once and in order', async (t) => {
  const { nats, database, openBus } = await setup(t);
  const { relay, consume } = openBus();
  await createEffects(database);
  relay(database);
  await changeThings(database, 400);
  await allPublished(database);
  for (const count of [30, 150, 90]) await consumeUntilKilled(t, nats.url, database.url, count);
  t.ok((await effects(database)).length < 400, 'killed before the end');
  const takenOverAt = Date.now();
  consume({ database, handlers: [on(thingChanged, (tx, { data }) => recordEffect(tx, data))] });
  await waitFor(async () => (await effects(database)).length >= 400);
  t.comment(`${Date.now() - takenOverAt} ms after the last kill`);
  for (const id of aggregates)
    t.same(
      await effects(database, id),
      range(1, 400).filter((n) => aggregateOf(n) === id),
    );
});
