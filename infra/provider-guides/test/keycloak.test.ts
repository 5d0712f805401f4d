import t from 'tap';
import { accountInactive, notSynchronised, profileOfAda, unauthorized } from './expected-responses.ts';
import { readGuide } from './read-guide.ts';
import { runExport, sendEvent } from './run-guide.ts';
import { startSystem } from './start-system.ts';

const guide = readGuide('keycloak');
const token = guide.json('token-by-default');
const mapped = { ...token, ...guide.json('claims') };

t.test('an access token needs the audience mapper and a verified e-mail', async (t) => {
  const { profile } = await startSystem(t, guide);
  t.match(await profile(token), unauthorized);
  t.match(await profile({ ...mapped, email_verified: false }), notSynchronised);
  t.match(await profile({ ...mapped, email: undefined }), notSynchronised, 'as in lightweight access tokens');
  t.match(await profile(mapped), profileOfAda);
});

t.test('events reach the gateway through the translation', async (t) => {
  const system = await startSystem(t, guide);
  const translated = (event: unknown) => runExport(guide.module('translate'), 'translate', event);
  t.equal(await sendEvent(await translated(guide.json('webhook created')), system), 'processed');
  t.match(
    await system.profile({ ...mapped, email: undefined }),
    profileOfAda,
    'a user known from an event needs no claims',
  );
  const registered = guide.json('webhook registered');
  t.equal(await sendEvent(await translated(registered), system), 'processed');
  const ben = { ...mapped, sub: registered.userId, email: undefined };
  t.match(await system.profile(ben), {
    status: 200,
    data: { email: 'ben@lms.example', emailVerified: false, firstName: 'Ben' },
  });
  t.equal(await sendEvent(await translated(guide.json('webhook deleted')), system), 'processed');
  t.match(await system.profileWith(403, mapped), accountInactive);
  t.equal(
    await sendEvent(await translated({ ...registered, type: 'DELETE_ACCOUNT', details: {} }), system),
    'processed',
  );
  t.match(await system.profileWith(403, ben), accountInactive, 'after a deletion by the user');
  t.equal(await translated({ ...registered, type: 'LOGIN' }), undefined);
  const group = { ...guide.json('webhook created'), resourceType: 'GROUP', resourcePath: 'groups/1' };
  t.equal(await translated(group), undefined);
});
