import t from 'tap';
import { appendEvent } from '../src/append-event.ts';
import { aggregateVersions, outbox } from '../src/tables.ts';
import { changeThing, range, setup } from './setup.ts';
import { thingChanged } from './things.ts';

t.test('an event is rolled back with its change', async (t) => {
  const { database } = await setup(t);
  await changeThing(database, 1, 'a');
  const attempt = database.db.transaction(async (tx) => {
    await appendEvent(tx, thingChanged, { aggregateId: 'a', data: { id: 'a', n: 2 } });
    await appendEvent(tx, thingChanged, { aggregateId: 'b', data: { id: 'b', n: 1 } });
    throw new Error('rolled back');
  });
  await t.rejects(attempt, /rolled back/);
  t.equal((await database.db.select().from(outbox)).length, 1);
  t.same(await database.db.select().from(aggregateVersions), [{ aggregateId: 'a', version: 1 }]);
});

t.test('concurrent changes of one aggregate get consecutive versions and times', async (t) => {
  const { database } = await setup(t);
  await Promise.all(range(1, 60).map((n) => changeThing(database, n, n % 2 ? 'odd' : 'even')));
  const rows = await database.db.select().from(outbox).orderBy(outbox.ordinal);
  for (const id of ['odd', 'even']) {
    const own = rows.filter((row) => row.aggregateId === id);
    t.same(
      own.map(({ version }) => version),
      range(1, 30),
      'commit order is version order',
    );
    const times = own.map(({ createdAt }) => createdAt.toISOString());
    t.same(times, times.toSorted());
  }
});
