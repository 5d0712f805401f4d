import t from 'tap';
import { accountInactive, notSynchronised, profileOfAda, unauthorized } from './expected-responses.ts';
import { readGuide } from './read-guide.ts';
import { sendEvent } from './run-guide.ts';
import { startSystem } from './start-system.ts';

const guide = readGuide('generic-oidc');
const token = guide.json('token-by-default');

t.test('a token is accepted with the claims of the guide', async (t) => {
  const { profile } = await startSystem(t, guide);
  t.match(await profile(token), notSynchronised);
  t.match(await profile({ ...token, ...guide.json('claims') }), profileOfAda);
  t.match(await profile({ ...token, aud: 'https://another.example' }), unauthorized);
  t.match(await profile({ ...token, aud: undefined, azp: token.aud }), profileOfAda, 'azp is used if aud is missing');
});

t.test('a synced user is accepted with a token without profile claims', async (t) => {
  const { profile, syncUser } = await startSystem(t, guide);
  t.match(await profile(token), notSynchronised);
  const { userId, email, ...names } = guide.json('sync');
  const announced = await syncUser({ userId, email, ...names });
  t.match(announced, { status: 201, data: { identityProviderId: userId, email, synced: false } });
  t.match(await profile(token), { status: 200, data: { email, emailVerified: false, ...names, roles: ['LEARNER'] } });
  t.match(await profile({ ...token, sub: 'another' }), notSynchronised);
  const proven = { ...token, sub: 'another', ...guide.json('claims') };
  t.match(await profile(proven), profileOfAda, 'the e-mail is assigned to the first user who verifies it');
  t.match(await profile(token), { status: 200, data: { id: announced.data.id, email: /^displaced-/ } });
});

t.test('webhooks signed with the code of the guide are accepted, with the documented results', async (t) => {
  const system = await startSystem(t, guide);
  const [created, deleted] = [guide.json('webhook created'), guide.json('webhook deleted')];
  t.equal(await sendEvent({ ...created, type: 'session.created' }, system), 'ignored');
  t.equal(await sendEvent(created, system), 'processed');
  t.equal(await sendEvent(created, system), 'duplicate');
  t.match(await system.profile(token), profileOfAda);
  const another = { ...Object(created.data), id: 'another' };
  t.equal(await sendEvent({ ...created, data: another }, system), 'conflict');
  t.equal(await sendEvent(deleted, system), 'processed');
  t.equal(await sendEvent({ ...created, data: { ...Object(created.data), first_name: 'Late' } }, system), 'stale');
  t.match(await system.profileWith(403, token), accountInactive);
  await t.rejects(sendEvent(created, { ...system, secret: 'another secret, of enough bytes' }), /responded with 401/);
});
