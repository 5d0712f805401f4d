import { startTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { eq, sql as query } from 'drizzle-orm';
import t from 'tap';
import { connect } from '../src/connect.ts';
import { isDatabaseOutage, uniqueViolation } from '../src/errors.ts';
import { openThings, things } from './things.ts';

const failureOf = (attempt: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(attempt).then(
    () => undefined,
    (error: unknown) => error,
  );

t.test('a unique violation names its index, inside and outside a transaction', async (t) => {
  const { db } = await openThings(t);
  const insert = (tx = db) => tx.insert(things).values({ name: 'FIRST' });
  for (const error of [await failureOf(insert()), await failureOf(db.transaction((tx) => insert(tx)))]) {
    t.equal(uniqueViolation(error), 'things_name');
    t.notOk(isDatabaseOutage(error));
  }
  t.equal(uniqueViolation(await failureOf(db.insert(things).values({ id: 'first', name: 'x' }))), 'things_pkey');
  t.equal(uniqueViolation(await failureOf(db.execute(query`select nonsense`))), undefined);
  t.equal(uniqueViolation(new Error('other')), undefined);
  t.equal(uniqueViolation(undefined), undefined);
});

t.test('a programming error is not an outage', async (t) => {
  const { db } = await openThings(t);
  for (const text of ['select nonsense', 'select 1/0', 'insert into things (id) values (1)'])
    t.notOk(isDatabaseOutage(await failureOf(db.execute(text))), text);
  t.notOk(isDatabaseOutage(new TypeError('x')));
  t.notOk(isDatabaseOutage('ECONNRESET'));
});

t.test('a session terminated during a query is an outage, and the next query works', async (t) => {
  const { sql, url } = await openThings(t);
  const pool = connect(url, { applicationName: 'terminated', max: 1 });
  t.teardown(() => pool.close());
  await pool.ping();
  const sleeping = failureOf(pool.db.execute('select pg_sleep(10)'));
  const isAsleep = async () => {
    const [row] =
      await sql`select state from pg_stat_activity where application_name = 'terminated' and query like '%pg_sleep%'`;
    return row?.state === 'active';
  };
  await waitFor(isAsleep);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'terminated'`;
  t.ok(isDatabaseOutage(await sleeping));
  await waitFor(
    () =>
      pool.ping().then(
        () => true,
        () => false,
      ),
    { until: 'another session' },
  );
  t.same(await pool.sql`select 1 as one`, [{ one: 1 }]);
});

t.test('an unreachable database is an outage at once, not after a timeout', async (t) => {
  const unreachable = connect('postgres://user@127.0.0.1:1/nothing');
  t.teardown(() => unreachable.close());
  const startedAt = Date.now();
  const errors = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      failureOf(
        n % 2 ? unreachable.db.execute('select 1') : unreachable.db.transaction((tx) => tx.execute('select 1')),
      ),
    ),
  );
  for (const error of errors) t.ok(isDatabaseOutage(error), String(error));
  await t.rejects(unreachable.ping());
  t.ok(Date.now() - startedAt < 20_000, `${Date.now() - startedAt} ms for 100 queries`);
});

t.test('a statement timeout and a deadlock are outages', async (t) => {
  const { db } = await openThings(t);
  const slow = db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 50');
    await tx.execute('select pg_sleep(5)');
  });
  t.ok(isDatabaseOutage(await failureOf(slow)));

  await db.insert(things).values([
    { id: 'a', name: 'a' },
    { id: 'b', name: 'b' },
  ]);
  const rename = (first: string, second: string, bothLocked: () => Promise<void>) =>
    db.transaction(async (tx) => {
      await tx.update(things).set({ due: new Date() }).where(eq(things.id, first));
      await bothLocked();
      await tx.update(things).set({ due: new Date() }).where(eq(things.id, second));
    });
  let waiting = 0;
  let proceed: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const bothLocked = () => {
    waiting += 1;
    if (waiting === 2) proceed();
    return both;
  };
  const errors = await Promise.all([failureOf(rename('a', 'b', bothLocked)), failureOf(rename('b', 'a', bothLocked))]);
  const [deadlock, ...others] = errors.filter((error) => error !== undefined);
  t.ok(isDatabaseOutage(deadlock), String(deadlock));
  t.same(others, []);
});

t.test('after an outage the pool has all its connections again', async (t) => {
  const { url } = await openThings(t);
  const proxy = await startTcpProxy(t, url);
  const pool = connect(proxy.url);
  t.teardown(() => pool.close());
  await pool.ping();
  proxy.block();
  const errors = await Promise.all(Array.from({ length: 30 }, () => failureOf(pool.ping())));
  for (const error of errors) t.ok(isDatabaseOutage(error), String(error));
  proxy.unblock();
  const openedAt = Date.now();
  await waitFor(() =>
    pool.ping().then(
      () => true,
      () => false,
    ),
  );
  t.ok(Date.now() - openedAt < 20_000, `back after ${Date.now() - openedAt} ms`);
  const startedAt = Date.now();
  await Promise.all(Array.from({ length: 10 }, () => pool.sql`select pg_sleep(0.3)`));
  t.ok(Date.now() - startedAt < 15_000, `ten parallel queries took ${Date.now() - startedAt} ms`);
});
