import { createRegistry } from '@lms/telemetry/registry';
import { waitFor } from '@lms/testing/wait-for';
import { sql } from 'drizzle-orm';
import t from 'tap';
import { connect } from '../src/connect.ts';
import { openThings } from './things.ts';

t.test('a pool tells how much of it is in use and what waits for it', async (t) => {
  const { url } = await openThings(t);
  const registry = createRegistry();
  const database = connect(url, { max: 2, registry });
  t.teardown(database.close);
  const tells = (name: string, value: number) =>
    waitFor(async () => (await registry.metrics()).split('\n').includes(`database_pool_${name} ${value}`), {
      until: `${name} ${value}`,
    });
  await tells('connections', 2);
  await tells('connections_in_use', 0);

  const ends: (() => void)[] = [];
  const hold = () =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const holding = [hold(), hold()];
  await waitFor(() => ends.length === 2);
  const waiting = [database.ping(), database.ping(), database.ping()].map((query) => Promise.resolve(query));
  await tells('connections_in_use', 2);
  await tells('waiting_queries', 3);
  for (const end of ends) end();
  await Promise.all([...holding, ...waiting]);
  await tells('connections_in_use', 0);
  await tells('waiting_queries', 0);
});
