import { eq, inArray, sql } from 'drizzle-orm';
import t from 'tap';
import { connect, type Db } from '../src/connect.ts';
import { prepared } from '../src/prepared.ts';
import { openThings, things } from './things.ts';

const thingByName = prepared('thing_by_name', (db) =>
  db
    .select({ id: things.id, createdAt: things.createdAt })
    .from(things)
    .where(eq(things.name, sql.placeholder('name'))),
);
const countPrepared = sql`select count(*)::int as count from pg_prepared_statements where statement like '%"things"%'`;

t.test('PostgreSQL parses a prepared query once for a connection, in and outside of transactions', async (t) => {
  const { url } = await openThings(t);
  const { db, close } = connect(url, { max: 1 });
  t.teardown(close);
  t.match(await thingByName(db).execute({ name: 'First' }), [{ id: 'first', createdAt: Date }]);
  t.same(await thingByName(db).execute({ name: 'Second' }), []);
  await db.transaction(async (tx) => t.match(await thingByName(tx).execute({ name: 'First' }), [{ id: 'first' }]));
  t.same(await db.execute(countPrepared), [{ count: 1 }]);
});

t.test('in transactions all short statements are prepared, in nested ones as well', async (t) => {
  const { url } = await openThings(t);
  const { db, close } = connect(url, { max: 1 });
  t.teardown(close);
  const find = (of: Db, ...names: string[]) => of.select().from(things).where(inArray(things.name, names));
  await find(db, 'First');
  t.same(await db.execute(countPrepared), [{ count: 0 }]);
  for (let run = 0; run < 3; run += 1)
    await db.transaction(async (tx) => {
      await find(tx, 'First');
      await tx.transaction((inner) => find(inner, 'First', 'Second'));
      await find(tx, ...Array.from({ length: 65 }, String));
    });
  t.same(await db.execute(countPrepared), [{ count: 2 }]);
});

t.test('the SQL of a prepared query is built once for a pool', async (t) => {
  const { db } = await openThings(t);
  let builds = 0;
  const query = prepared('things', (of) => {
    builds += 1;
    return of.select({ id: things.id }).from(things);
  });
  for (let run = 0; run < 3; run += 1) t.same(await query(db).execute(), [{ id: 'first' }]);
  t.equal(builds, 1);
});

t.test('`prepare=false` in the URL turns prepared statements off, for PgBouncer in transaction mode', async (t) => {
  const { url } = await openThings(t);
  const { db, close } = connect(`${url}?prepare=false`, { max: 1 });
  t.teardown(close);
  t.match(await thingByName(db).execute({ name: 'First' }), [{ id: 'first' }]);
  t.same(await db.execute(countPrepared), [{ count: 0 }]);
});
