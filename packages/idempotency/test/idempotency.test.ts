import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { passports } from '@lms/auth/passports';
import { ok } from '@lms/contracts/envelope';
import type { Principal } from '@lms/contracts/passport';
import { isDatabaseOutage } from '@lms/database/errors';
import { createServer } from '@lms/service/create-server';
import { conflict } from '@lms/service/problems';
import { createRegistry } from '@lms/telemetry/registry';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { idempotency } from '../src/idempotency.ts';

const migrations = join(import.meta.dirname, '../test/migrations');

/** A server whose one route writes a row, and can be held up or made to fail. */
async function build(t: Test) {
  const database = await testDatabase(t, migrations);
  await database.db.execute(sql`create table effects (name text not null)`);
  const app = createServer({ logger: pino({ level: 'silent' }), isOutage: isDatabaseOutage });
  await app.register(passports, { publicKey: testPassportKey });
  const registry = createRegistry();
  await app.register(idempotency, { db: database.db, registry });
  const gate = { open: Promise.resolve() };
  app.post('/things', async (request, reply) => {
    const { name, fail } = Object(request.body);
    const db = await request.writeDb();
    await db.transaction((tx) => tx.execute(sql`insert into effects values (${name})`));
    await gate.open;
    if (fail) throw conflict({ resource: 'thing', field: 'name', value: name });
    const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count from effects`);
    return reply.code(201).send(ok({ name, count: row?.count }));
  });
  t.teardown(() => app.close());
  const effects = async () => (await database.db.execute(sql`select * from effects`)).length;
  const post = (key: string | undefined, payload: object, who: Principal) =>
    app.inject({
      method: 'POST',
      url: '/things',
      payload,
      headers: { ...passportHeaders(who), ...(key !== undefined && { 'idempotency-key': key }) },
    });
  return { app, database, registry, gate, effects, post };
}

t.test('a repetition gets the first answer and has no effect', async (t) => {
  const { post, effects } = await build(t);
  const who = testPrincipal();
  const first = await post('key-1', { name: 'a' }, who);
  const second = await post('key-1', { name: 'a' }, who);
  t.match(first, { statusCode: 201, headers: { 'idempotency-replayed': undefined } });
  t.match(second, {
    statusCode: 201,
    headers: { 'idempotency-replayed': 'true', 'content-type': 'application/json; charset=utf-8' },
  });
  t.equal(second.body, first.body);
  t.equal(await effects(), 1);
});

t.test('it is counted how keys are used', async (t) => {
  const { post, registry } = await build(t);
  const who = testPrincipal();
  for (const name of ['a', 'a', 'b']) await post('key-1', { name }, who);
  await post(undefined, { name: 'a' }, who);
  const text = await registry.metrics();
  for (const outcome of ['first', 'repeated', 'mismatched'])
    t.match(text, `idempotent_requests_total{outcome="${outcome}"} 1`);
});

t.test('without a key, with another key or for another person it is another request', async (t) => {
  const { post, effects } = await build(t);
  const who = testPrincipal();
  for (const [key, caller] of [
    ['k', who],
    ['l', who],
    ['k', testPrincipal()],
    [undefined, who],
    [undefined, who],
  ] as const)
    t.equal((await post(key, { name: 'a' }, caller)).statusCode, 201);
  t.equal(await effects(), 5);
});

t.test('another body under the same key is refused', async (t) => {
  const { post, effects } = await build(t);
  const who = testPrincipal();
  await post('k', { name: 'a' }, who);
  const other = await post('k', { name: 'b' }, who);
  t.match(other, { statusCode: 422 });
  t.match(other.json(), { code: 'VALIDATION_ERROR', details: { field: 'Idempotency-Key' } });
  t.equal(await effects(), 1);
});

t.test('while the first request runs, a second one is told so', async (t) => {
  const { post, gate, database, effects } = await build(t);
  const who = testPrincipal();
  let open = () => {};
  gate.open = new Promise((resolve) => {
    open = resolve;
  });
  const first = post('k', { name: 'a' }, who);
  const isRunning = async () => {
    const rows =
      await database.sql`select 1 from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`;
    return rows.length > 0;
  };
  await waitFor(isRunning);
  const second = await post('k', { name: 'a' }, who);
  t.match(second, { statusCode: 409 });
  t.match(second.json(), {
    code: 'CONFLICT',
    details: { resource: 'request', field: 'Idempotency-Key', value: 'k' },
  });
  open();
  t.equal((await first).statusCode, 201);
  t.equal(await effects(), 1);
});

t.test('an error is not kept, and what was done before it is undone', async (t) => {
  const { post, effects } = await build(t);
  const who = testPrincipal();
  t.equal((await post('k', { name: 'a', fail: true }, who)).statusCode, 409);
  t.equal(await effects(), 0);
  t.equal((await post('k', { name: 'a' }, who)).statusCode, 201);
  t.equal(await effects(), 1);
});

t.test('a key that is none is refused', async (t) => {
  const { post } = await build(t);
  for (const key of ['', 'x'.repeat(129), 'tab\there'])
    t.equal((await post(key, { name: 'a' }, testPrincipal())).statusCode, 422, JSON.stringify(key));
});

t.test('a query, however long, is no part of what a key stands for', async (t) => {
  const { app, effects } = await build(t);
  const headers = { ...passportHeaders(testPrincipal()), 'idempotency-key': 'k' };
  for (const query of ['', `?q=${randomBytes(4_000).toString('hex')}`])
    t.equal(
      (await app.inject({ method: 'POST', url: `/things${query}`, payload: { name: 'a' }, headers })).statusCode,
      201,
    );
  t.equal(await effects(), 1);
});

t.test('after a day the key is free again', async (t) => {
  const { post, database, effects } = await build(t);
  const who = testPrincipal();
  await post('k', { name: 'a' }, who);
  await database.sql`update idempotency_keys set created_at = now() - interval '25 hours'`;
  t.equal((await post('k', { name: 'b' }, who)).statusCode, 201);
  t.equal(await effects(), 2);
});

t.test('when the commit fails nothing is claimed to have happened', async (t) => {
  const { post, gate, database, effects } = await build(t);
  const who = testPrincipal();
  let open = () => {};
  gate.open = new Promise((resolve) => {
    open = resolve;
  });
  const first = post('k', { name: 'a' }, who);
  const ended = async () => {
    const rows =
      await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`;
    return rows.length > 0;
  };
  await waitFor(ended);
  open();
  const answer = await first;
  t.match(answer, { statusCode: 503, headers: { 'retry-after': /\d/ } });
  t.match(answer.json(), { success: false, code: 'SERVICE_UNAVAILABLE' });
  t.equal(await effects(), 0);
});
