import { createId } from '@lms/database/columns';
import t from 'tap';
import { publishCurrentUsers } from '../src/publish-current-users.ts';
import { startIdentity } from './identity.ts';

t.test(
  'after a restore, lost changes of users are published as they are now, and lost anonymizations repeated',
  async (t) => {
    const { signIn, as, database, events } = await startIdentity(t);
    const [boss, ann, bob] = [await signIn('boss'), await signIn('ann'), await signIn('bob')];
    const stateOf = async (id: string) => {
      const [last] = (await events()).filter(({ aggregateId }) => aggregateId === id).toReversed();
      return { type: last?.type, data: Object(last?.data) };
    };
    const { data } = await stateOf(ann.userId);
    const goneId = createId();
    const anonymized = { ...data, id: bob.userId, identityProviderId: null, email: 'anonymized@invalid' };
    await database.db.transaction((tx) =>
      publishCurrentUsers(tx, [
        { type: 'identity.user.updated', aggregateId: ann.userId, data: { ...data, lastName: 'Lost' } },
        { type: 'identity.user.deleted', aggregateId: bob.userId, data: anonymized },
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
    t.match(await stateOf(goneId), {
      type: 'identity.user.deleted',
      data: { identityProviderId: null, email: `anonymized-${goneId}@invalid`, firstName: null, status: 'INACTIVE' },
    });
  },
);
