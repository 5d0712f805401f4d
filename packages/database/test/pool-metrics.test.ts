import { createRegistry } from '@lms/telemetry/registry';
import { waitFor } from '@lms/testing/wait-for';
import { sql } from 'drizzle-orm';
import t from 'tap';
import { connect } from '../src/connect.ts';
import { isDatabaseOutage } from '../src/errors.ts';
import { openThings } from './things.ts';

t.test('pool metrics report connections in use and waiting queries', async (t) => {
  const { url } = await openThings(t);
  const registry = createRegistry();
  const database = connect(url, { max: 2, registry });
  t.teardown(database.close);
  const reported = (name: string, value: number) =>
    waitFor(async () => (await registry.metrics()).split('\n').includes(`database_pool_${name} ${value}`), {
      until: `${name} ${value}`,
    });
  await reported('connections', 2);
  await reported('connections_in_use', 0);

  const releases: (() => void)[] = [];
  const hold = () =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await new Promise<void>((resolve) => releases.push(resolve));
    });
  const holding = [hold(), hold()];
  await waitFor(() => releases.length === 2);
  const waiting = [database.ping(), database.ping(), database.ping()].map((query) => Promise.resolve(query));
  await reported('connections_in_use', 2);
  await reported('waiting_queries', 3);
  for (const release of releases) release();
  await Promise.all([...holding, ...waiting]);
  await reported('connections_in_use', 0);
  await reported('waiting_queries', 0);
});

t.test('a query that gets no connection in time fails as an outage, and takes none later', async (t) => {
  const { url, sql: counted } = await openThings(t);
  const database = connect(url, { max: 2 });
  t.teardown(database.close);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const holding = [1, 2].map(() =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await released;
    }),
  );
  await waitFor(
    async () =>
      (
        await counted`select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
      ).length === 2,
  );
  const refused = await Promise.allSettled([
    database.db.execute(sql`insert into things (id, name) values ('late', 'Late')`),
    database.db.transaction((tx) => tx.execute(sql`select 1`)),
  ]);
  t.same(
    refused.map((outcome) => outcome.status === 'rejected' && isDatabaseOutage(outcome.reason)),
    [true, true],
  );
  release();
  await Promise.all(holding);
  await database.ping();
  t.same(await counted`select id from things`, [{ id: 'first' }]);
});
