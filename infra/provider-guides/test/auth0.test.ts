import { runInNewContext } from 'node:vm';
import t from 'tap';
import { gone, refused, unknown, welcome } from './outcomes.ts';
import { readGuide } from './read-guide.ts';
import { startStand } from './stand.ts';
import { run, tell } from './tell.ts';

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
  await run(Promise.resolve(exports), 'onExecutePostLogin', { user }, { accessToken: { setCustomClaim } });
  return claims;
}

t.test('an access token lets nobody in until the Action says whose it is', async (t) => {
  const { profile } = await startStand(t, guide);
  t.match(await profile(token), unknown);
  const user = guide.json('action-user');
  t.match(await profile({ ...token, ...(await runAction({ ...user, email_verified: false })) }), unknown);
  t.match(
    await profile({ ...token, 'https://lms.example/email': user.email }),
    unknown,
    'namespaced claims are not read',
  );
  t.match(await profile({ ...token, ...(await runAction(user)) }), welcome);
  t.match(await profile({ ...token, aud: 'https://lms-example.eu.auth0.com/userinfo' }), refused);
  t.match(
    await profile({ ...token, iss: 'https://lms-example.eu.auth0.com' }),
    refused,
    'the slash belongs to the issuer',
  );
});

t.test('events reach the gateway by way of the translation', async (t) => {
  const stand = await startStand(t, guide);
  const translated = (label: string) => run(guide.module('translate'), 'translate', guide.json(label));
  t.equal(await tell(await translated('webhook created'), stand), 'processed');
  t.match(await stand.profile(token), welcome, 'who was announced needs no claims');
  t.equal(await tell(await translated('webhook deleted'), stand), 'processed');
  t.match(await stand.profileWith(403, token), gone);
  t.equal(await tell(await translated('webhook created'), stand), 'duplicate', 'and a late event revives nobody');
});
