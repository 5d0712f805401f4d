import { idParams } from '@lms/contracts/ids';
import { createServer } from '@lms/service/create-server';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import Fastify, { type FastifyPluginAsync } from 'fastify';
import t, { type Test } from 'tap';
import { passports } from '../src/passports.ts';
import { allowAnyone, requireGateway, requireRole } from '../src/require-role.ts';

const publicRoutes: FastifyPluginAsync = async (app) => {
  allowAnyone(app);
  app.get('/open', async () => 'ok');
};
const memberRoutes: FastifyPluginAsync = async (app) => {
  requireRole(app);
  app.get('/members', async () => 'ok');
};
const staffRoutes: FastifyPluginAsync = async (app) => {
  requireRole(app, 'ADMIN', 'MENTOR');
  app.put('/staff/:id', { schema: { params: idParams('Thing') } }, async () => 'ok');
};
const gatewayRoutes: FastifyPluginAsync = async (app) => {
  requireGateway(app);
  app.get('/internal/gateway', async () => 'ok');
};

async function buildApp(t: Test) {
  const app = createServer({ logger: Fastify().log });
  await app.register(passports, { publicKey: testPassportKey });
  for (const plugin of [publicRoutes, memberRoutes, staffRoutes, gatewayRoutes]) await app.register(plugin);
  t.teardown(() => app.close());
  return app;
}
const id = 'tz4a98xxat96iws9zmbrgj3a';

t.test('a scope admits callers with one of its roles and does not affect other scopes', async (t) => {
  const app = await buildApp(t);
  const status = async (url: string, roles?: Parameters<typeof testPrincipal>[0]) =>
    (
      await app.inject({
        method: url.startsWith('/staff') ? 'PUT' : 'GET',
        url,
        headers: roles ? passportHeaders(testPrincipal(roles)) : {},
      })
    ).statusCode;
  t.equal(await status('/open'), 200);
  t.equal(await status('/open', []), 200);
  t.equal(await status('/members'), 401);
  t.equal(await status('/members', []), 200, 'authentication is enough where no role is required');
  t.equal(await status(`/staff/${id}`), 401);
  t.equal(await status(`/staff/${id}`, ['LEARNER']), 403);
  t.equal(await status(`/staff/${id}`, ['LEARNER', 'MENTOR']), 200);
  t.equal(await status(`/staff/${id}`, ['ADMIN']), 200);
});

t.test('a 403 names the required roles and the roles of the caller', async (t) => {
  const app = await buildApp(t);
  const response = await app.inject({
    method: 'PUT',
    url: `/staff/${id}`,
    headers: passportHeaders(testPrincipal(['LEARNER'])),
  });
  t.match(response.json(), {
    success: false,
    error: 'Insufficient permissions',
    code: 'FORBIDDEN',
    details: { required: ['ADMIN', 'MENTOR'], user_roles: ['LEARNER'] },
  });
});

t.test('suspended and inactive accounts are refused everywhere, before their roles are checked', async (t) => {
  const app = await buildApp(t);
  for (const [accountStatus, code] of [
    ['SUSPENDED', 'ACCOUNT_SUSPENDED'],
    ['INACTIVE', 'ACCOUNT_INACTIVE'],
  ] as const)
    for (const url of ['/open', '/members', `/staff/${id}`])
      for (const roles of [['LEARNER'], ['ADMIN']] as const) {
        const headers = passportHeaders(testPrincipal([...roles], { status: accountStatus }));
        const response = await app.inject({ method: url.startsWith('/staff') ? 'PUT' : 'GET', url, headers });
        t.equal(response.statusCode, 403);
        t.equal(response.json().code, code, `${url} as ${roles}`);
      }
});

t.test('ids and bodies are validated only after the caller is authorized', async (t) => {
  const app = await buildApp(t);
  const send = (headers: Record<string, string>) =>
    app.inject({
      method: 'PUT',
      url: '/staff/impossible',
      headers: { ...headers, 'content-type': 'text/plain' },
      payload: '{',
    });
  t.equal((await send({})).statusCode, 401);
  t.equal((await send(passportHeaders(testPrincipal(['LEARNER'])))).statusCode, 403);
  t.equal((await send(passportHeaders(testPrincipal(['MENTOR'])))).statusCode, 404);
});

t.test('routes for the gateway refuse everyone else', async (t) => {
  const app = await buildApp(t);
  const status = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/internal/gateway', headers })).statusCode;
  t.equal(await status(passportHeaders(null)), 200);
  t.equal(await status({}), 401);
  t.equal(await status(passportHeaders(testPrincipal(['ADMIN']))), 401);
});
