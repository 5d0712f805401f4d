import t from 'tap';
import { gone, refused, unknown, welcome } from './outcomes.ts';
import { readGuide } from './read-guide.ts';
import { startStand } from './stand.ts';
import { run, tell } from './tell.ts';

const guide = readGuide('keycloak');
const token = guide.json('token-by-default');
const mapped = { ...token, ...guide.json('claims') };

t.test('an access token needs the audience mapper, and nothing else', async (t) => {
  const { profile } = await startStand(t, guide);
  t.match(await profile(token), refused);
  t.match(await profile({ ...mapped, email_verified: false }), unknown);
  t.match(await profile({ ...mapped, email: undefined }), unknown, 'as with lightweight access tokens');
  t.match(await profile(mapped), welcome);
});

t.test('events reach the gateway by way of the translation', async (t) => {
  const stand = await startStand(t, guide);
  const translated = (event: unknown) => run(guide.module('translate'), 'translate', event);
  t.equal(await tell(await translated(guide.json('webhook created')), stand), 'processed');
  t.match(await stand.profile({ ...mapped, email: undefined }), welcome, 'who was announced needs no claims');
  const registered = guide.json('webhook registered');
  t.equal(await tell(await translated(registered), stand), 'processed');
  const ben = { ...mapped, sub: registered.userId, email: undefined };
  t.match(await stand.profile(ben), {
    status: 200,
    data: { email: 'ben@lms.example', emailVerified: false, firstName: 'Ben' },
  });
  t.equal(await tell(await translated(guide.json('webhook deleted')), stand), 'processed');
  t.match(await stand.profileWith(403, mapped), gone);
  t.equal(await translated({ ...registered, type: 'LOGIN' }), undefined);
  const group = { ...guide.json('webhook created'), resourceType: 'GROUP', resourcePath: 'groups/1' };
  t.equal(await translated(group), undefined);
});
