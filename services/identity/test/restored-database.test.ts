import { createId } from '@lms/database/columns';
import t from 'tap';
import { publishCurrentUsers } from '../src/publish-current-users.ts';
import { startIdentity } from './identity.ts';

t.test(
  'after a restore, lost changes of users are published as they are now, and lost anonymizations repeated',
  async (t) => {
    const { signIn, as, anonymous, resolve, database, events } = await startIdentity(t);
    const [boss, ann, bob] = [await signIn('boss'), await signIn('ann'), await signIn('bob')];
    const stateOf = async (id: string) => {
      const [last] = (await events()).filter(({ aggregateId }) => aggregateId === id).toReversed();
      return { type: last?.type, data: Object(last?.data) };
    };
    const { data } = await stateOf(ann.userId);
    const goneId = createId();
    const hint = await anonymous.post('/api/auth/sync', { userId: 'idp_eve', email: 'wrong@lms.test' });
    const { id: hintedId } = hint.body.data;
    const removed = { ...data, identityProviderId: null };
    const anonymized = { ...removed, id: bob.userId, email: `anonymized-${bob.userId}@invalid` };
    const closed = { ...removed, id: hintedId, email: `displaced-${hintedId}@invalid` };
    await database.db.transaction((tx) =>
      publishCurrentUsers(tx, [
        { type: 'identity.user.updated', aggregateId: ann.userId, data: { ...data, lastName: 'Lost' } },
        { type: 'identity.user.deleted', aggregateId: bob.userId, data: anonymized },
        { type: 'identity.user.deleted', aggregateId: hintedId, data: closed },
        { type: 'identity.user.created', aggregateId: goneId, data: { ...data, id: goneId } },
        { type: 'identity.mentor-application.submitted', aggregateId: createId(), data: { id: createId() } },
      ]),
    );
    t.same(await stateOf(ann.userId), { type: 'identity.user.updated', data });
    t.match(await stateOf(bob.userId), { type: 'identity.user.deleted', data: { identityProviderId: null } });
    t.match((await as(boss).get(`/api/users/${bob.userId}`)).body.data, {
      identityProviderId: null,
      email: `anonymized-${bob.userId}@invalid`,
    });
    t.match(await stateOf(hintedId), { type: 'identity.user.updated', data: { email: 'wrong@lms.test' } });
    const eve = await resolve({ identityProviderId: 'idp_eve', email: 'eve@lms.test' });
    t.match(eve, { status: 200 }, 'an account that was closed for a wrong hint is not erased');
    t.match(await stateOf(goneId), {
      type: 'identity.user.deleted',
      data: { identityProviderId: null, email: `anonymized-${goneId}@invalid`, firstName: null, status: 'INACTIVE' },
    });
  },
);
