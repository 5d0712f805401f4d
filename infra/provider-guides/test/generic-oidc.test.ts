import t from 'tap';
import { gone, refused, unknown, welcome } from './outcomes.ts';
import { readGuide } from './read-guide.ts';
import { startStand } from './stand.ts';
import { tell } from './tell.ts';

const guide = readGuide('generic-oidc');
const token = guide.json('token-by-default');

t.test('a token says whose it is, or its bearer was announced', async (t) => {
  const { profile } = await startStand(t, guide);
  t.match(await profile(token), unknown);
  t.match(await profile({ ...token, ...guide.json('claims') }), welcome);
  t.match(await profile({ ...token, aud: 'https://another.example' }), refused);
  t.match(await profile({ ...token, aud: undefined, azp: token.aud }), welcome, 'azp stands in for a missing aud');
});

t.test('an announced user is accepted with a token that has no claims about them', async (t) => {
  const { profile, announce } = await startStand(t, guide);
  t.match(await profile(token), unknown);
  const { userId, email, ...names } = guide.json('sync');
  const announced = await announce({ userId, email, ...names });
  t.match(announced, { status: 201, data: { identityProviderId: userId, email, synced: false } });
  t.match(await profile(token), { status: 200, data: { email, emailVerified: false, ...names, roles: ['LEARNER'] } });
  t.match(await profile({ ...token, sub: 'another' }), unknown);
  const proven = { ...token, sub: 'another', ...guide.json('claims') };
  t.match(await profile(proven), welcome, 'the e-mail belongs to the first who proves it');
  t.match(await profile(token), { status: 200, data: { id: announced.data.id, email: /^displaced-/ } });
});

t.test('the signing code of the guide is understood, and its answers are those that it names', async (t) => {
  const stand = await startStand(t, guide);
  const [created, deleted] = [guide.json('webhook created'), guide.json('webhook deleted')];
  t.equal(await tell({ ...created, type: 'session.created' }, stand), 'ignored');
  t.equal(await tell(created, stand), 'processed');
  t.equal(await tell(created, stand), 'duplicate');
  t.match(await stand.profile(token), welcome);
  const another = { ...Object(created.data), id: 'another' };
  t.equal(await tell({ ...created, data: another }, stand), 'conflict');
  t.equal(await tell(deleted, stand), 'processed');
  t.equal(await tell({ ...created, data: { ...Object(created.data), first_name: 'Late' } }, stand), 'stale');
  t.match(await stand.profileWith(403, token), gone);
  await t.rejects(tell(created, { ...stand, secret: 'another secret, of enough bytes' }), /responded with 401/);
});
