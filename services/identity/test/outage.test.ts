import { connect } from '@lms/database/connect';
import { testDatabase } from '@lms/testing/database';
import { startTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { account, migrations, startIdentity } from './identity.ts';

t.test('during a database outage every route returns 503 and leaves no partial change', async (t) => {
  const real = await testDatabase(t, migrations);
  const proxy = await startTcpProxy(t, real.url);
  const database = connect(proxy.url);
  const { signIn, as, resolve, anonymous, webhook } = await startIdentity(t, { database });
  t.teardown(() => database.close());
  const boss = await signIn('boss');

  proxy.block();
  const claims = { identityProviderId: 'idp_ann', email: 'ann@lms.test' };
  const requests = {
    'a token': () => resolve(claims),
    'a hint': () => anonymous.post('/api/auth/sync', { userId: 'idp_eve', email: 'eve@lms.test' }),
    'a webhook': () => webhook('user.created', account('idp_bob')),
    'the profile': () => as(boss).get('/api/auth/profile'),
    'the list': () => as(boss).get('/api/users'),
    'an update': () => as(boss).put(`/api/users/${boss.userId}`, { plan: 'PRO' }),
    'a role': () => as(boss).post(`/api/users/${boss.userId}/roles`, { role: 'MENTOR' }),
    'an application': () => as(boss).post('/api/mentor/apply'),
    'the trail': () => as(boss).get('/api/admin/audit'),
    'the export': () => as(boss).get('/api/auth/profile/export'),
  };
  for (const [title, send] of Object.entries(requests)) {
    const { status, body, headers } = await send();
    t.match({ status, code: body.code }, { status: 503, code: 'SERVICE_UNAVAILABLE' }, title);
    t.ok(headers['retry-after'], title);
  }

  proxy.unblock();
  await waitFor(async () => (await as(boss).get('/api/auth/profile')).status === 200, {
    until: 'the service to recover',
  });
  t.equal((await as(boss).get('/api/users')).body.pagination.total, 1, 'no partial change was stored');
  t.equal(
    (await webhook('user.created', account('idp_bob'))).body.data.status,
    'processed',
    'the failed webhook is not treated as processed',
  );
});
