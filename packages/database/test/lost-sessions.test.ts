import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { startTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { sql as query } from 'drizzle-orm';
import t from 'tap';
import { connect } from '../src/connect.ts';
import { isDatabaseOutage } from '../src/errors.ts';
import { openTransaction } from '../src/open-transaction.ts';
import { openThings } from './things.ts';

t.test('sessions that are lost under load tear no transaction, mix up no answers and hang nobody', async (t) => {
  const { url, sql } = await openThings(t);
  await sql`create table lefts (n integer primary key)`;
  await sql`create table rights (n integer primary key)`;
  const proxy = await startTcpProxy(t, url);
  const mine = connect(proxy.url, { applicationName: 'load' });
  t.teardown(() => mine.close());

  let count = 0;
  let succeeded = 0;
  let disturbing = true;
  const oddities: unknown[] = [];
  /** Both tables or none, with a pause in between that is not the database's. */
  async function insertPair(n: number) {
    await mine.db.transaction(async (tx) => {
      await tx.execute(query`insert into lefts values (${n})`);
      if (n % 3 === 0) await sleep(n % 20);
      const [row] = await tx.execute(query`select ${n}::integer as n`);
      if (row?.n !== n) oddities.push(row);
      await tx.transaction((inner) => inner.execute(query`insert into rights values (${n})`));
    });
  }
  async function work() {
    while (disturbing)
      try {
        count += 1;
        await insertPair(count);
        succeeded += 1;
      } catch (error) {
        if (!isDatabaseOutage(error)) oddities.push(error);
      }
  }
  const workers = Promise.all(Array.from({ length: 20 }, work));
  for (const round of [1, 2, 3, 4, 5, 6]) {
    const before = succeeded;
    await waitFor(() => succeeded > before + 30, { until: 'work to go on' });
    if (round % 2) {
      proxy.block();
      proxy.unblock();
    } else
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'load' and random() < 0.7`;
  }
  disturbing = false;
  await workers;
  t.same(oddities, []);
  t.same(await sql`select 1 from lefts full join rights using (n) where lefts.n is null or rights.n is null`, []);
  const startedAt = Date.now();
  await Promise.all(Array.from({ length: 10 }, () => mine.sql`select pg_sleep(0.3)`));
  t.ok(Date.now() - startedAt < 15_000, `the pool is as large as before: ${Date.now() - startedAt} ms`);
});

t.test('what is asked while a connection dies is answered or refused, never forgotten', async (t) => {
  const { url } = await openThings(t);
  const proxy = await startTcpProxy(t, url);
  const mine = connect(proxy.url);
  t.teardown(() => mine.close());
  for (let round = 0; round < 5; round += 1) {
    await Promise.allSettled(Array.from({ length: 10 }, () => mine.sql`select pg_sleep(0.01)`));
    proxy.block();
    proxy.unblock();
    const asked: Promise<unknown>[] = [];
    for (let n = 0; n < 60; n += 1) {
      const answer =
        n % 2
          ? mine.db.execute(query`select ${n}::integer as n`)
          : mine.sql.begin((tx) => tx`select ${n}::integer as n`);
      asked.push(
        Promise.resolve(answer).then(
          ([row]) => row?.n === n || n,
          (error) => isDatabaseOutage(error) || error,
        ),
      );
      if (n % 3 === 0) await turn();
    }
    t.same(await Promise.all(asked), Array(60).fill(true));
  }
});

t.test('whatever waits inside a transaction whose session is lost is refused', async (t) => {
  const { url, sql } = await openThings(t);
  const proxy = await startTcpProxy(t, url);
  const mine = connect(proxy.url, { applicationName: 'deep' });
  t.teardown(() => mine.close());
  const [straight, nested] = [await openTransaction(mine.db), await openTransaction(mine.db)];
  const nap = query`select pg_sleep(${30})`;
  const waiting = [
    straight.tx.execute(nap),
    straight.tx.execute(query`select 'behind the other'`),
    nested.tx.transaction((inner) => inner.execute(nap)), // whose failure asks to roll back to the savepoint
  ];
  const ends = Promise.all(waiting.map((one) => Promise.resolve(one).then(() => 'done', isDatabaseOutage)));
  const napping = () => sql`select 1 from pg_stat_activity where application_name = 'deep' and wait_event = 'PgSleep'`;
  await waitFor(async () => (await napping()).length === 2, { until: 'both to sleep' });
  proxy.block();
  t.same(await Promise.race([ends, sleep(15_000, 'still waiting', { ref: false })]), [true, true, true]);
});

t.test('a door that opens and shuts at once is an outage, not an endless wait', async (t) => {
  let knocks = 0;
  const door = createServer((guest) => {
    knocks += 1;
    guest.on('error', () => undefined).end();
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  t.teardown(() => void door.close());
  const address = door.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const mine = connect(`postgres://nobody@127.0.0.1:${port}/nothing`);
  t.teardown(() => mine.close());
  const startedAt = Date.now();
  const asked = Array.from({ length: 200 }, () => mine.ping().catch((error: unknown) => isDatabaseOutage(error)));
  t.same(await Promise.all(asked), Array(200).fill(true));
  t.ok(Date.now() - startedAt < 15_000, `${Date.now() - startedAt} ms for two hundred at once`);
  t.ok(knocks < 100, `${knocks} attempts`);
});
