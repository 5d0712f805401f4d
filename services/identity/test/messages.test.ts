import t from 'tap';
import { startIdentity } from './identity.ts';

t.test('write operations return a message, reads do not', async (t) => {
  const { anonymous, as, signIn, resolve } = await startIdentity(t);
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const [asBoss, asAnn] = [as(boss), as(ann)];
  const expectMessage = async (
    response: Promise<{ body: { success: boolean; message?: string } }>,
    message?: string,
  ) => {
    const { body } = await response;
    t.match(body, { success: true });
    t.equal(body.message, message);
    return JSON.parse(JSON.stringify(body));
  };
  const hint = { userId: 'idp_new', email: 'new@lms.test' };
  const sync = (body: object) => anonymous.post('/api/auth/sync', body);
  await expectMessage(sync(hint), 'User announced');
  await expectMessage(sync(hint), 'User announced');
  await resolve({ identityProviderId: 'idp_new', email: null, emailVerified: false });
  await expectMessage(sync(hint), 'User synchronised');
  await expectMessage(
    asAnn.post('/api/auth/sync', { userId: ann.identityProviderId, email: ann.email }),
    'User synchronised',
  );
  await expectMessage(asAnn.put('/api/auth/profile', { firstName: 'Ann' }), 'Profile updated');

  const user = `/api/users/${ann.userId}`;
  await expectMessage(asBoss.put(user, { plan: 'PRO' }), 'User updated');
  await expectMessage(asBoss.post(`${user}/roles`, { role: 'ADMIN' }), 'Role assigned');
  await expectMessage(asBoss.delete(`${user}/roles`, { role: 'ADMIN' }), 'Role removed');
  const apply = async () => (await expectMessage(asAnn.post('/api/mentor/apply'), 'Application submitted')).data.id;
  await expectMessage(asAnn.post(`/api/mentor/applications/${await apply()}/withdraw`), 'Application withdrawn');
  await expectMessage(asBoss.put(`/api/admin/mentor/${await apply()}/reject`), 'Application rejected');
  await expectMessage(asBoss.put(`/api/admin/mentor/${await apply()}/approve`), 'Application approved');
  await expectMessage(asBoss.post(`${user}/anonymize`), 'User anonymized');

  for (const path of ['/api/auth/profile', user, `${user}/roles`, '/api/admin/mentor', '/api/admin/audit'])
    await expectMessage(asBoss.get(path), undefined);
});
