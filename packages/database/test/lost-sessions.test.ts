import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { startTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { sql as sqlQuery } from 'drizzle-orm';
import t from 'tap';
import { connect } from '../src/connect.ts';
import { isDatabaseOutage } from '../src/errors.ts';
import { openTransaction } from '../src/open-transaction.ts';
import { openThings } from './things.ts';

t.test('sessions lost under load break no transaction, mix up no results and hang no query', async (t) => {
  const { url, sql } = await openThings(t);
  await sql`create table lefts (n integer primary key)`;
  await sql`create table rights (n integer primary key)`;
  const proxy = await startTcpProxy(t, url);
  const pool = connect(proxy.url, { applicationName: 'load' });
  t.teardown(() => pool.close());

  let count = 0;
  let succeeded = 0;
  let isRunning = true;
  const unexpected: unknown[] = [];
  /** Inserts into both tables or none, with a pause between the statements. */
  async function insertPair(n: number) {
    await pool.db.transaction(async (tx) => {
      await tx.execute(sqlQuery`insert into lefts values (${n})`);
      if (n % 3 === 0) await sleep(n % 20);
      const [row] = await tx.execute(sqlQuery`select ${n}::integer as n`);
      if (row?.n !== n) unexpected.push(row);
      await tx.transaction((inner) => inner.execute(sqlQuery`insert into rights values (${n})`));
    });
  }
  async function work() {
    while (isRunning)
      try {
        count += 1;
        await insertPair(count);
        succeeded += 1;
      } catch (error) {
        if (!isDatabaseOutage(error)) unexpected.push(error);
      }
  }
  const workers = Promise.all(Array.from({ length: 20 }, work));
  for (const round of [1, 2, 3, 4, 5, 6]) {
    const before = succeeded;
    await waitFor(() => succeeded > before + 30, { until: 'successful inserts' });
    if (round % 2) {
      proxy.block();
      proxy.unblock();
    } else
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'load' and random() < 0.7`;
  }
  isRunning = false;
  await workers;
  t.same(unexpected, []);
  t.same(await sql`select 1 from lefts full join rights using (n) where lefts.n is null or rights.n is null`, []);
  // A session that was terminated last may fail only when it gets its next query.
  await waitFor(
    async () => {
      const sleeps = await Promise.allSettled(Array.from({ length: 10 }, () => pool.sql`select pg_sleep(0.3)`));
      return sleeps.every(({ status }) => status === 'fulfilled');
    },
    { until: 'all ten connections to be usable' },
  );
});

t.test('queries sent while a connection is lost succeed or fail, but never hang', async (t) => {
  const { url } = await openThings(t);
  const proxy = await startTcpProxy(t, url);
  const pool = connect(proxy.url);
  t.teardown(() => pool.close());
  for (let round = 0; round < 5; round += 1) {
    await Promise.allSettled(Array.from({ length: 10 }, () => pool.sql`select pg_sleep(0.01)`));
    proxy.block();
    proxy.unblock();
    const results: Promise<unknown>[] = [];
    for (let n = 0; n < 60; n += 1) {
      const query =
        n % 2
          ? pool.db.execute(sqlQuery`select ${n}::integer as n`)
          : pool.sql.begin((tx) => tx`select ${n}::integer as n`);
      results.push(
        Promise.resolve(query).then(
          ([row]) => row?.n === n || n,
          (error) => isDatabaseOutage(error) || error,
        ),
      );
      if (n % 3 === 0) await turn();
    }
    t.same(await Promise.all(results), Array(60).fill(true));
  }
});

t.test('queries waiting in a transaction fail if its session is lost', async (t) => {
  const { url, sql } = await openThings(t);
  const proxy = await startTcpProxy(t, url);
  const pool = connect(proxy.url, { applicationName: 'deep' });
  t.teardown(() => pool.close());
  const [straight, nested] = [await openTransaction(pool.db), await openTransaction(pool.db)];
  const longSleep = sqlQuery`select pg_sleep(${30})`;
  const waiting = [
    straight.tx.execute(longSleep),
    straight.tx.execute(sqlQuery`select 'queued'`),
    nested.tx.transaction((inner) => inner.execute(longSleep)), // fails and then rolls back to its savepoint
  ];
  const ends = Promise.all(waiting.map((query) => Promise.resolve(query).then(() => 'done', isDatabaseOutage)));
  const sleeping = () => sql`select 1 from pg_stat_activity where application_name = 'deep' and wait_event = 'PgSleep'`;
  await waitFor(async () => (await sleeping()).length === 2, { until: 'both to sleep' });
  proxy.block();
  t.same(await Promise.race([ends, sleep(60_000, 'still waiting', { ref: false })]), [true, true, true]);
});

t.test('what has arrived of a response when its session is lost does not become part of the next one', async (t) => {
  const { url, sql } = await openThings(t);
  const pool = connect(url, { applicationName: 'torn', max: 1 });
  t.teardown(() => pool.close());
  // The first rows are larger than the buffer of the server, so they arrive before the last one is computed.
  const torn = pool.sql`
    select repeat('x', 20000), case when n = 3 then pg_sleep(60) end from generate_series(1, 3) as n`.then(
    () => 'complete',
    isDatabaseOutage,
  );
  const sleeping = () => sql`select 1 from pg_stat_activity where application_name = 'torn' and wait_event = 'PgSleep'`;
  await waitFor(async () => (await sleeping()).length === 1, { until: 'the query to sleep' });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'torn'`;
  t.equal(await torn, true);
  t.same([...(await pool.sql`select 1 as n`)], [{ n: 1 }]);
});

t.test('a server that closes connections at once is an outage, not an endless wait', async (t) => {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.on('error', () => undefined).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const pool = connect(`postgres://user@127.0.0.1:${port}/nothing`);
  t.teardown(() => pool.close());
  const startedAt = Date.now();
  const results = Array.from({ length: 200 }, () => pool.ping().catch((error: unknown) => isDatabaseOutage(error)));
  t.same(await Promise.all(results), Array(200).fill(true));
  t.ok(Date.now() - startedAt < 15_000, `${Date.now() - startedAt} ms for 200 queries`);
  t.ok(attempts < 100, `${attempts} attempts`);
});

t.test('sessions opened while the database was read-only are replaced soon after it is writable', async (t) => {
  const { url, sql } = await openThings(t);
  const database = sql(new URL(url).pathname.slice(1));
  await sql`alter database ${database} set default_transaction_read_only = on`;
  const pool = connect(url, { max: 3 });
  t.teardown(() => pool.close());
  /** Each in a session of its own. */
  const write = () =>
    Promise.allSettled(
      Array.from({ length: 3 }, () =>
        pool.sql.begin(async (tx) => {
          await tx`select pg_sleep(0.1)`;
          await tx`update things set due = now()`;
        }),
      ),
    );
  t.ok((await write()).every((result) => result.status === 'rejected' && isDatabaseOutage(result.reason)));
  t.equal((await pool.sql`select 1 from things`).length, 1, 'reads are served meanwhile');

  await sql`alter database ${database} reset default_transaction_read_only`;
  await waitFor(async () => (await write()).every(({ status }) => status === 'fulfilled'), {
    until: 'all sessions to be writable',
  });
});
