import t from 'tap';
import { startIdentity } from './identity.ts';

t.test('users can read their profile and change their own names only', async (t) => {
  const { as, signIn, events } = await startIdentity(t);
  const ann = await signIn('ann');
  const before = (await as(ann).get('/api/auth/profile')).body.data;
  const { status, body } = await as(ann).put('/api/auth/profile', {
    ...before,
    firstName: '  Ann ',
    lastName: 'O\u0308zil',
    email: 'eve@lms.test',
    roles: ['ADMIN'],
    status: 'SUSPENDED',
    plan: 'ENTERPRISE',
    id: 'tz4a98xxat96iws9zmbrgj3a',
    identityProviderId: 'idp_eve',
    emailVerified: false,
    isProvisional: true,
    anonymizedAt: '2026-01-01T00:00:00.000Z',
  });
  t.equal(status, 200);
  const { updatedAt, ...rest } = body.data;
  const { updatedAt: _before, ...same } = before;
  t.same(rest, { ...same, firstName: 'Ann', lastName: '\u00d6zil' });
  t.ok(updatedAt > before.updatedAt);
  t.match((await events()).at(-1), {
    type: 'identity.user.updated',
    actorId: ann.userId,
    changes: { firstName: { from: null, to: 'Ann' } },
  });
  t.equal((await as(ann).put('/api/auth/profile', { firstName: '', lastName: null })).body.data.firstName, null);
});

t.test('an invalid body is rejected, as are inactive callers', async (t) => {
  const { as, signIn, anonymous } = await startIdentity(t);
  const ann = await signIn('ann');
  for (const body of [{}, { firstName: 7 }, { lastName: 'n'.repeat(201) }, { firstName: 'a\0' }])
    t.equal((await as(ann).put('/api/auth/profile', body)).status, 422, JSON.stringify(body));
  t.equal((await anonymous.get('/api/auth/profile')).status, 401);
  for (const status of ['SUSPENDED', 'INACTIVE'] as const)
    t.equal((await as({ ...ann, status }).get('/api/auth/profile')).body.code, `ACCOUNT_${status}`);
});
