import { checkErrorResponses } from '@lms/testing/error-responses';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { startIdentity } from './identity.ts';

t.test('every error names the resource, the roles or the field', async (t) => {
  const { app } = await startIdentity(t);
  await checkErrorResponses(t, app, {
    allowed: () => passportHeaders(testPrincipal(['LEARNER', 'MENTOR', 'ADMIN'])),
    withoutRoles: () => passportHeaders(testPrincipal([])),
    resources: {
      '/api/users/{id}': 'User',
      '/api/admin/mentor/{id}': 'Mentor application',
      '/api/mentor/applications/{id}': 'Mentor application',
    },
  });
});

t.test('errors about a missing role or an unknown account have the same details as other errors', async (t) => {
  const { as, signIn, resolve } = await startIdentity(t);
  const boss = testPrincipal(['ADMIN']);
  const ann = await signIn('ann');
  t.match(await as(boss).delete(`/api/users/${ann.userId}/roles`, { role: 'MENTOR' }), {
    status: 404,
    body: { code: 'NOT_FOUND', error: 'Role not found' },
  });
  const allRoles = ['LEARNER', 'MENTOR', 'ADMIN'];
  const unknown = await resolve({ identityProviderId: 'idp_unknown', emailVerified: false });
  t.match(unknown, { status: 403, body: { code: 'FORBIDDEN', error: 'User not synchronised' } });
  t.same(unknown.body.details, { required: allRoles, user_roles: [] });
  const foreign = await as(ann).post('/api/auth/sync', { userId: 'idp_eve', email: 'eve@lms.test' });
  t.match(foreign, { status: 403, body: { code: 'FORBIDDEN' } });
  t.same(foreign.body.details, { required: allRoles, user_roles: ['LEARNER'] });
});
