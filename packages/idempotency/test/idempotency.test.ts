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

/** A server with a route that writes a row and can be paused or made to fail. */
async function build(t: Test) {
  const database = await testDatabase(t, migrations);
  await database.db.execute(sql`create table effects (name text not null)`);
  const app = createServer({ logger: pino({ level: 'silent' }), isOutage: isDatabaseOutage });
  await app.register(passports, { publicKey: testPassportKey });
  const registry = createRegistry();
  await app.register(idempotency, { db: database.db, registry });
  const pause = { ended: Promise.resolve(), isReached: false };
  app.post('/things', async (request, reply) => {
    const { name, fail } = Object(request.body);
    const db = await request.writeDb();
    await db.transaction((tx) => tx.execute(sql`insert into effects values (${name})`));
    pause.isReached = true;
    await pause.ended;
    if (fail) throw conflict({ resource: 'thing', field: 'name', value: name });
    const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count from effects`);
    return reply.code(201).send(ok({ name, count: row?.count }));
  });
  t.teardown(() => app.close());
  const effects = async () => (await database.db.execute(sql`select * from effects`)).length;
  const post = (key: string | undefined, payload: object, caller: Principal) =>
    app.inject({
      method: 'POST',
      url: '/things',
      payload,
      headers: { ...passportHeaders(caller), ...(key !== undefined && { 'idempotency-key': key }) },
    });
  return { app, database, registry, pause, effects, post };
}

t.test('a repetition gets the first response and has no effect', async (t) => {
  const { post, effects } = await build(t);
  const caller = testPrincipal();
  const first = await post('key-1', { name: 'a' }, caller);
  const second = await post('key-1', { name: 'a' }, caller);
  t.match(first, { statusCode: 201, headers: { 'idempotency-replayed': undefined } });
  t.match(second, {
    statusCode: 201,
    headers: { 'idempotency-replayed': 'true', 'content-type': 'application/json; charset=utf-8' },
  });
  t.equal(second.body, first.body);
  t.equal(await effects(), 1);
});

t.test('requests with a key are counted by outcome', async (t) => {
  const { post, registry } = await build(t);
  const caller = testPrincipal();
  for (const name of ['a', 'a', 'b']) await post('key-1', { name }, caller);
  await post(undefined, { name: 'a' }, caller);
  const text = await registry.metrics();
  for (const outcome of ['first', 'repeated', 'mismatched'])
    t.match(text, `idempotent_requests_total{outcome="${outcome}"} 1`);
});

t.test('a request without a key, with another key or from another user is a new request', async (t) => {
  const { post, effects } = await build(t);
  const caller = testPrincipal();
  for (const [key, user] of [
    ['k', caller],
    ['l', caller],
    ['k', testPrincipal()],
    [undefined, caller],
    [undefined, caller],
  ] as const)
    t.equal((await post(key, { name: 'a' }, user)).statusCode, 201);
  t.equal(await effects(), 5);
});

t.test('another body with the same key is refused', async (t) => {
  const { post, effects } = await build(t);
  const caller = testPrincipal();
  await post('k', { name: 'a' }, caller);
  const other = await post('k', { name: 'b' }, caller);
  t.match(other, { statusCode: 422 });
  t.match(other.json(), { code: 'VALIDATION_ERROR', details: { field: 'Idempotency-Key' } });
  t.equal(await effects(), 1);
});

t.test('a second request gets a 409 while the first one is running', async (t) => {
  const { post, pause, effects } = await build(t);
  const caller = testPrincipal();
  let endPause = () => {};
  pause.ended = new Promise((resolve) => {
    endPause = resolve;
  });
  const first = post('k', { name: 'a' }, caller);
  await waitFor(() => pause.isReached);
  const second = await post('k', { name: 'a' }, caller);
  t.match(second, { statusCode: 409 });
  t.match(second.json(), {
    code: 'CONFLICT',
    details: { resource: 'request', field: 'Idempotency-Key', value: 'k' },
  });
  endPause();
  t.equal((await first).statusCode, 201);
  t.equal(await effects(), 1);
});

t.test('an error is not stored, and the writes before it are rolled back', async (t) => {
  const { post, effects } = await build(t);
  const caller = testPrincipal();
  t.equal((await post('k', { name: 'a', fail: true }, caller)).statusCode, 409);
  t.equal(await effects(), 0);
  t.equal((await post('k', { name: 'a' }, caller)).statusCode, 201);
  t.equal(await effects(), 1);
});

t.test('a malformed key is refused', async (t) => {
  const { post } = await build(t);
  for (const key of ['', 'x'.repeat(129), 'tab\there'])
    t.equal((await post(key, { name: 'a' }, testPrincipal())).statusCode, 422, JSON.stringify(key));
});

t.test('the query string does not belong to the key, however long it is', async (t) => {
  const { app, effects } = await build(t);
  const headers = { ...passportHeaders(testPrincipal()), 'idempotency-key': 'k' };
  for (const query of ['', `?q=${randomBytes(4_000).toString('hex')}`])
    t.equal(
      (await app.inject({ method: 'POST', url: `/things${query}`, payload: { name: 'a' }, headers })).statusCode,
      201,
    );
  t.equal(await effects(), 1);
});

t.test('a key can be used again after a day', async (t) => {
  const { post, database, effects } = await build(t);
  const caller = testPrincipal();
  await post('k', { name: 'a' }, caller);
  await database.sql`update idempotency_keys set created_at = now() - interval '25 hours'`;
  t.equal((await post('k', { name: 'b' }, caller)).statusCode, 201);
  t.equal(await effects(), 2);
});

t.test('the bytes of a body are compared as they are, and only with a key', async (t) => {
  const { app } = await build(t);
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, Object.assign(body, { name: 'a', toJSON: () => t.fail('the bytes are converted to JSON') })),
  );
  const caller = testPrincipal();
  const send = (payload: string, headers = {}) =>
    app.inject({
      method: 'POST',
      url: '/things',
      payload,
      headers: { ...passportHeaders(caller), 'content-type': 'text/csv', ...headers },
    });
  t.match(await send('a'), { statusCode: 201 });
  t.match(await send('a', { 'idempotency-key': 'k' }), {
    statusCode: 201,
    headers: { 'idempotency-replayed': undefined },
  });
  t.match(await send('a', { 'idempotency-key': 'k' }), {
    statusCode: 201,
    headers: { 'idempotency-replayed': 'true' },
  });
  t.match(await send('b', { 'idempotency-key': 'k' }), { statusCode: 422 });
});

t.test('a response that cannot be stored is an error, and frees the connection of its transaction', async (t) => {
  const { post, database, effects } = await build(t);
  await database.sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`;
  await database.sql`
    create trigger refuse before update on idempotency_keys for each row execute function refuse()`;
  t.equal((await post('k', { name: 'a' }, testPrincipal())).statusCode, 500);
  t.equal(await effects(), 0);
  const open = await database.sql`
    select 1 from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`;
  t.equal(open.length, 0);
});

t.test('a failed commit is a 503, not a success', async (t) => {
  const { post, pause, database, effects } = await build(t);
  const caller = testPrincipal();
  let endPause = () => {};
  pause.ended = new Promise((resolve) => {
    endPause = resolve;
  });
  const first = post('k', { name: 'a' }, caller);
  const isTerminated = async () => {
    const rows =
      await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`;
    return rows.length > 0;
  };
  await waitFor(() => pause.isReached);
  await waitFor(isTerminated);
  endPause();
  const response = await first;
  t.match(response, { statusCode: 503, headers: { 'retry-after': /\d/ } });
  t.match(response.json(), { success: false, code: 'SERVICE_UNAVAILABLE' });
  t.equal(await effects(), 0);
});
