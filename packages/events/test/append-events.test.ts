import { fileURLToPath } from 'node:url';
import { defineEvent } from '@lms/contracts/events/definition';
import { createId } from '@lms/database/columns';
import { testDatabase } from '@lms/testing/database';
import { Type } from '@sinclair/typebox';
import t from 'tap';
import { appendEvent, appendEvents } from '../src/append-event.ts';

const migrations = fileURLToPath(new URL('../test/migrations', import.meta.url));
const closed = defineEvent('school.class.closed', Type.Object({ seats: Type.Integer() }));

t.test('events of many aggregates each get the next version of their aggregate', async (t) => {
  const { db, sql } = await testDatabase(t, migrations);
  const ids = Array.from({ length: 2_500 }, createId);
  const existing = ids[7] ?? '';
  await appendEvent(db, closed, { aggregateId: existing, data: { seats: 1 } });
  await db.transaction((tx) =>
    appendEvents(
      tx,
      closed,
      ids.map((aggregateId, seats) => ({ aggregateId, data: { seats }, cause: { actorId: 'admin' } })),
    ),
  );
  const rows = await sql`select aggregate_id, version, data, actor_id from outbox order by ordinal offset 1`;
  t.equal(rows.length, ids.length);
  t.same(
    rows.map((row) => row.aggregate_id),
    ids,
    'in the order given',
  );
  t.match(rows[7], { version: 2, data: { seats: 7 }, actor_id: 'admin' });
  t.match(rows[8], { version: 1, data: { seats: 8 } });
});

t.test('appending no events writes nothing', async (t) => {
  const { db, sql } = await testDatabase(t, migrations);
  await appendEvents(db, closed, []);
  t.equal((await sql`select 1 from outbox`).length, 0);
});
