import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untilLocked } from '@lms/testing/database';
import { listen } from '@lms/testing/listen';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { createProviderClient } from '../src/users/provider-client.ts';
import { account, startIdentity, webhookSecret } from './identity.ts';

const main = fileURLToPath(new URL('../../../infra/identity-provider/dist/main.js', import.meta.url));

/** The local identity provider, as it runs in development. */
async function startProvider(t: Test, webhookUrl?: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    PORT: String(port),
    ISSUER: url,
    LOG_LEVEL: 'silent',
    DATA_FILE: join(t.testdir(), 'provider.json'),
    ...(webhookUrl && { WEBHOOK_URL: webhookUrl, WEBHOOK_SECRET: webhookSecret }),
  };
  const child = spawn(process.execPath, [main], { env, stdio: 'inherit' });
  t.teardown(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  const healthy = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(healthy, { until: 'the provider' });

  async function send(method: string, path: string, body?: object): Promise<{ id: string }> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, ...(body && { headers, body: JSON.stringify(body) }) });
    const { id } = Object(await response.json());
    return { id };
  }
  /** Creates a user until the end of the test. */
  async function createUser(t: Test, user: { email: string; firstName?: string }) {
    const { id } = await send('POST', '/users', { ...user, password: 'password' });
    t.teardown(() => send('DELETE', `/users/${id}`));
    return { id };
  }
  return { url, send, createUser, usersUrl: `${url}/users` };
}

t.test('in verify mode', async (t) => {
  const provider = await startProvider(t);
  const providerClient = createProviderClient(provider.usersUrl, undefined);

  t.test('a sync stores the state of the provider, not the body', async (t) => {
    const { anonymous, as, signIn, resolve } = await startIdentity(t, { providerClient });
    const boss = await signIn('boss');
    const { id: userId } = await provider.createUser(t, {
      email: 'ann@lms.test',
      firstName: 'Ann',
    });
    const sync = (body: object) => anonymous.post('/api/auth/sync', { email: 'eve@lms.test', ...body });
    const first = await sync({ userId, firstName: 'Eve' });
    t.equal(first.status, 201);
    t.match(first.body.data, { identityProviderId: userId, synced: true });
    const seen = () => as(boss).get(`/api/users/${first.body.data.id}`);
    t.match((await seen()).body.data, {
      email: 'ann@lms.test',
      emailVerified: true,
      firstName: 'Ann',
      roles: ['LEARNER'],
    });

    await provider.send('PATCH', `/users/${userId}`, { firstName: 'Anna' });
    t.equal((await sync({ userId })).status, 200);
    t.match((await seen()).body.data, { firstName: 'Anna' });

    const rival = await provider.createUser(t, { email: 'boss@lms.test' });
    t.match(await sync({ userId: rival.id }), { status: 409, body: { code: 'CONFLICT', details: { field: 'email' } } });
    t.notMatch(
      (await sync({ userId: rival.id })).text,
      /boss/,
      'the response does not contain the e-mail of the account',
    );
    for (const absent of ['user_unknown', '..', '.', '../users', '%2e%2e', '?x', '#'])
      t.equal((await sync({ userId: absent })).status, 404, absent);
    t.equal(
      (await resolve({ identityProviderId: userId, email: null })).status,
      200,
      'the provider has confirmed the account',
    );
  });

  t.test('an unknown subject without an e-mail is requested from the provider', async (t) => {
    const { resolve, signIn, as, webhook } = await startIdentity(t, { providerClient });
    const boss = await signIn('boss');
    const { id } = await provider.createUser(t, {
      email: 'ann@lms.test',
      firstName: 'Ann',
    });
    const tokenOf = (identityProviderId: string) => ({ identityProviderId, email: null, emailVerified: false });
    const { status, body } = await resolve(tokenOf(id));
    t.equal(status, 200);
    t.match(body.data, { email: 'ann@lms.test', emailVerified: true, firstName: 'Ann' });
    t.same(body.data.roles, ['LEARNER']);
    const { isNew, ...principal } = body.data;
    t.equal(isNew, true);
    t.same((await resolve(tokenOf(id))).body.data, principal);

    const rival = await provider.createUser(t, { email: 'boss@lms.test' });
    for (const subject of [rival.id, 'user_unknown', '..'])
      t.match(await resolve(tokenOf(subject)), { status: 403, body: { error: 'User not synchronised' } }, subject);
    await webhook('user.deleted', { id: rival.id });
    t.match(await resolve(tokenOf(rival.id)), { status: 403, body: { code: 'ACCOUNT_INACTIVE' } });
    t.equal((await as(boss).get('/api/users')).body.pagination.total, 2, 'no account was linked');
  });

  t.test('a sync with a token stores the state of the provider as well', async (t) => {
    const { resolve, as } = await startIdentity(t, { providerClient });
    const { id } = await provider.createUser(t, {
      email: 'ann@lms.test',
      firstName: 'Ann',
    });
    const ann = (await resolve({ identityProviderId: id, email: 'ann@lms.test' })).body.data;
    await provider.send('PATCH', `/users/${id}`, { firstName: 'Anna', email: 'anna@lms.test' });
    const { status, body } = await as(ann).post('/api/auth/sync', {
      userId: id,
      email: 'eve@lms.test',
      firstName: 'Eve',
    });
    t.equal(status, 201, 'the token of this request has created the account');
    t.match(body.data, {
      id: ann.userId,
      email: 'anna@lms.test',
      emailVerified: true,
      firstName: 'Anna',
      synced: true,
    });
    const foreign = { userId: 'user_other', email: 'other@lms.test' };
    t.equal((await as(ann).post('/api/auth/sync', foreign)).status, 403);
  });
});

t.test('in verify mode a provisional account is confirmed if the provider knows it without an e-mail', async (t) => {
  const known = new Map([['/users/idp_mute', { id: 'idp_mute', email_addresses: [] }]]);
  const server = createServer(({ url = '' }, response) => {
    const user = known.get(url);
    response.writeHead(user ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(user ?? {}));
  });
  const providerClient = createProviderClient(`${await listen(t, server)}/users`, undefined);
  const before = await startIdentity(t);
  const sync = (userId: string) => before.anonymous.post('/api/auth/sync', { userId, email: `${userId}@lms.test` });
  const { id } = (await sync('idp_mute')).body.data;
  await sync('idp_gone');
  const { resolve } = await startIdentity(t, { providerClient, database: before.database });
  const tokenOf = (identityProviderId: string) => ({ identityProviderId, email: null, emailVerified: false });
  t.match((await resolve(tokenOf('idp_mute'))).body.data, { userId: id, emailVerified: false });
  t.equal((await resolve(tokenOf('idp_gone'))).status, 403, 'the provider does not know the account');
  t.equal((await resolve(tokenOf('idp_new'))).status, 403);
});

t.test('in verify mode a sync whose provisional account is being closed creates a new account', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(account('idp_new')));
  });
  const providerClient = createProviderClient(`${await listen(t, server)}/users`, undefined);
  const { database, resolve, ...before } = await startIdentity(t);
  const wrong = { userId: 'idp_new', email: 'prof@lms.test' };
  const { id } = (await before.anonymous.post('/api/auth/sync', wrong)).body.data;
  const { anonymous } = await startIdentity(t, { providerClient, database });
  const inFlight: ReturnType<typeof anonymous.post>[] = [];
  await database.sql.begin(async (sql) => {
    await sql`select id from users where id = ${id} for update`;
    inFlight.push(resolve({ identityProviderId: 'idp_prof', email: 'prof@lms.test' }));
    await untilLocked(database);
    inFlight.push(anonymous.post('/api/auth/sync', wrong));
    await untilLocked(database, 2);
  });
  const [, created] = await Promise.all(inFlight);
  t.equal(created?.status, 201);
  t.not(created?.body.data.id, id);
});

t.test('metadata with invalid texts and long names do not make a response of the provider invalid', async (t) => {
  const first_name = '😀'.repeat(200);
  const user = { ...account('idp_1'), first_name, unsafe_metadata: { nul: 'a\0b', lone: '\ud800' } };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(user));
  });
  const client = createProviderClient(`${await listen(t, server)}/users`, undefined);
  t.match(await client.findUser('idp_1'), { id: 'idp_1', first_name });
});

t.test('an unavailable provider and invalid responses return 503', async (t) => {
  const providerClient = createProviderClient('http://127.0.0.1:1/users', 'token');
  const { anonymous, resolve } = await startIdentity(t, { providerClient });
  const token = { identityProviderId: 'idp_new', email: null, emailVerified: false };
  t.match(await resolve(token), { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } }, 'not a 403');
  const { status, body, headers } = await anonymous.post('/api/auth/sync', { userId: 'x', email: 'x@lms.test' });
  t.match({ status, code: body.code }, { status: 503, code: 'SERVICE_UNAVAILABLE' });
  t.ok(headers['retry-after']);
  const { app } = await startIdentity(t);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  await t.rejects(createProviderClient(`${base}/api/users`, undefined).findUser('x'), /temporarily unavailable/);
});

t.test('accounts created, changed and deleted at the provider arrive by webhooks', async (t) => {
  const identity = await startIdentity(t);
  const base = await identity.app.listen({ host: '127.0.0.1', port: 0 });
  const provider = await startProvider(t, `${base}/api/webhooks/identity`);
  const boss = await identity.signIn('boss');
  const find = async () =>
    (await identity.as(boss).get('/api/users?search=ann%40lms')).body.data[0] as Record<string, unknown> | undefined;
  const { id } = await provider.send('POST', '/users', {
    email: 'ann@lms.test',
    password: 'password',
    firstName: 'Ann',
  });
  await waitFor(find, { until: 'the new user' });
  t.match(await find(), { identityProviderId: id, firstName: 'Ann', emailVerified: true, roles: ['LEARNER'] });
  await provider.send('PATCH', `/users/${id}`, { firstName: 'Anna' });
  await waitFor(async () => (await find())?.firstName === 'Anna', { until: 'the new name' });
  await provider.send('DELETE', `/users/${id}`);
  await waitFor(async () => (await find())?.status === 'INACTIVE', { until: 'the deletion of the account' });
  t.match(await find(), { roles: [], status: 'INACTIVE' });
});
