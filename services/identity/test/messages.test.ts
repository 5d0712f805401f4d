import t from 'tap';
import { startIdentity } from './identity.ts';

t.test('operations say what was done, and reads say nothing', async (t) => {
  const { anonymous, as, signIn, resolve } = await startIdentity(t);
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const [asBoss, asAnn] = [as(boss), as(ann)];
  const says = async (response: Promise<{ body: { success: boolean; message?: string } }>, message?: string) => {
    const { body } = await response;
    t.match(body, { success: true });
    t.equal(body.message, message);
    return JSON.parse(JSON.stringify(body));
  };
  const hint = { userId: 'idp_new', email: 'new@lms.test' };
  const sync = (body: object) => anonymous.post('/api/auth/sync', body);
  await says(sync(hint), 'User announced');
  await says(sync(hint), 'User announced');
  await resolve({ identityProviderId: 'idp_new', email: null, emailVerified: false });
  await says(sync(hint), 'User synchronised');
  await says(asAnn.post('/api/auth/sync', { userId: ann.identityProviderId, email: ann.email }), 'User synchronised');
  await says(asAnn.put('/api/auth/profile', { firstName: 'Ann' }), 'Profile updated');

  const user = `/api/users/${ann.userId}`;
  await says(asBoss.put(user, { plan: 'PRO' }), 'User updated');
  await says(asBoss.post(`${user}/roles`, { role: 'ADMIN' }), 'Role assigned');
  await says(asBoss.delete(`${user}/roles`, { role: 'ADMIN' }), 'Role removed');
  const apply = async () => (await says(asAnn.post('/api/mentor/apply'), 'Application submitted')).data.id;
  await says(asAnn.post(`/api/mentor/applications/${await apply()}/withdraw`), 'Application withdrawn');
  await says(asBoss.put(`/api/admin/mentor/${await apply()}/reject`), 'Application rejected');
  await says(asBoss.put(`/api/admin/mentor/${await apply()}/approve`), 'Application approved');
  await says(asBoss.post(`${user}/anonymize`), 'User anonymized');

  for (const path of ['/api/auth/profile', user, `${user}/roles`, '/api/admin/mentor', '/api/admin/audit'])
    await says(asBoss.get(path), undefined);
});
