import { runInNewContext } from 'node:vm';
import t from 'tap';
import { accountInactive, notSynchronised, profileOfAda, unauthorized } from './expected-responses.ts';
import { readGuide } from './read-guide.ts';
import { runExport, sendEvent } from './run-guide.ts';
import { startSystem } from './start-system.ts';

const guide = readGuide('auth0');
const token = guide.json('token-by-default');

/** The claims that the guide's Action adds for a user. */
async function runAction(user: object): Promise<Record<string, unknown>> {
  const claims: Record<string, unknown> = {};
  const exports: Record<string, unknown> = {};
  runInNewContext(guide.code('action'), { exports });
  const setCustomClaim = (name: string, value: unknown) => {
    claims[name] = value;
  };
  await runExport(Promise.resolve(exports), 'onExecutePostLogin', { user }, { accessToken: { setCustomClaim } });
  return claims;
}

t.test('an access token is accepted once the Action adds the claims of a verified user', async (t) => {
  const { profile } = await startSystem(t, guide);
  t.match(await profile(token), notSynchronised);
  const user = guide.json('action-user');
  t.match(await profile({ ...token, ...(await runAction({ ...user, email_verified: false })) }), notSynchronised);
  t.match(
    await profile({ ...token, 'https://lms.example/email': user.email }),
    notSynchronised,
    'namespaced claims are ignored',
  );
  t.match(await profile({ ...token, ...(await runAction(user)) }), profileOfAda);
  t.match(await profile({ ...token, aud: 'https://lms-example.eu.auth0.com/userinfo' }), unauthorized);
  t.match(
    await profile({ ...token, iss: 'https://lms-example.eu.auth0.com' }),
    unauthorized,
    'the trailing slash is part of the issuer',
  );
});

t.test('events reach the gateway through the translation', async (t) => {
  const system = await startSystem(t, guide);
  const translated = (label: string) => runExport(guide.module('translate'), 'translate', guide.json(label));
  t.equal(await sendEvent(await translated('webhook created'), system), 'processed');
  t.match(await system.profile(token), profileOfAda, 'a user known from an event needs no claims');
  t.equal(await sendEvent(await translated('webhook deleted'), system), 'processed');
  t.match(await system.profileWith(403, token), accountInactive);
  t.equal(
    await sendEvent(await translated('webhook created'), system),
    'duplicate',
    'a late event does not restore the user',
  );
});
