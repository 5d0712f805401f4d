import { testPrincipal } from '@lms/testing/principals';
import t, { type Test } from 'tap';
import { createPlaybackTokens } from '../src/videos/playback-tokens.ts';
import { sample } from './samples.ts';
import { dataOf, file, form, type Media, startMedia } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);
const bytes = sample('mp4', 50_000);
const replace = (media: Media, topicId: string) =>
  media.send(admin, `/api/admin/education/topics/${topicId}/video`, {
    ...form(['video', file(bytes, 'a.mp4')]),
    method: 'PUT',
  });

async function withVideo(t: Test) {
  const media = await startMedia(t);
  const learner = testPrincipal();
  const topic = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  await replace(media, topic.id);
  const ask = (who: typeof learner | null) =>
    media.send(who, `/api/education/topics/${topic.id}/video/playback`, { method: 'POST' });
  /** What a player asks: the URL as it is, on this service's own address, with no header of ours. */
  const play = (url: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url);
    return media.send(null, `${pathname}${search}`, init);
  };
  return { media, topic, learner, ask, play };
}

t.test('a playback URL plays without a header, for a quarter of an hour', async (t) => {
  const { ask, play, learner, topic } = await withVideo(t);
  const answer = await ask(learner);
  t.equal(answer.status, 200);
  const { url, expiresAt } = await dataOf(answer);
  t.match(url, new RegExp(`^https://lms\\.example/api/education/topics/${topic.id}/video\\?playback=[\\w-]+$`));
  t.ok(url.length < 2_048);
  const lifetimeMs = Date.parse(expiresAt) - Date.now();
  t.ok(lifetimeMs > 14 * 60_000 && lifetimeMs <= 15 * 60_000);

  const whole = await play(url);
  t.equal(whole.status, 200);
  t.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes));
  const part = await play(url, { headers: { range: 'bytes=100-199' } });
  t.equal(part.status, 206);
  t.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200)));
  t.equal((await play(url, { method: 'HEAD' })).status, 200);
});

t.test('only the entitled get a playback URL, and only of a video', async (t) => {
  const { media, ask, learner } = await withVideo(t);
  t.equal((await ask(null)).status, 401);
  const refused = await ask(testPrincipal());
  t.equal(refused.status, 403);
  t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED' });
  const empty = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  t.equal(
    (await media.send(learner, `/api/education/topics/${empty.id}/video/playback`, { method: 'POST' })).status,
    404,
  );
  t.equal((await media.send(learner, '/api/education/topics/nope/video/playback', { method: 'POST' })).status, 404);
});

t.test('a playback URL ends with the video that it was made for', async (t) => {
  const { media, ask, play, learner, topic } = await withVideo(t);
  const { url } = await dataOf(await ask(learner));
  await replace(media, topic.id);
  t.equal((await play(url)).status, 404);
  const { url: newer } = await dataOf(await ask(learner));
  t.equal((await play(newer)).status, 200);
  await media.send(admin, `/api/admin/education/topics/${topic.id}/video`, { method: 'DELETE' });
  t.equal((await play(newer)).status, 404);
});

t.test('a playback URL ends when its owner loses access', async (t) => {
  const { ask, play, learner, topic } = await withVideo(t);
  const { url } = await dataOf(await ask(learner));
  topic.enrolled.delete(learner.userId);
  const refused = await play(url);
  t.equal(refused.status, 403);
  t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED' });
});

t.test('a token that was changed, cut, moved or made up is refused', async (t) => {
  const { media, ask, play, learner } = await withVideo(t);
  const { url } = await dataOf(await ask(learner));
  const token = new URL(url).searchParams.get('playback') ?? '';
  const other = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  await replace(media, other.id);
  const path = new URL(url).pathname;
  const flipped = (at: number) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  for (const [title, target] of [
    ['moved to another topic', `/api/education/topics/${other.id}/video?playback=${token}`],
    ['changed at its head', `${path}?playback=${flipped(2)}`],
    ['changed in its middle', `${path}?playback=${flipped(token.length >> 1)}`],
    ['changed at its end', `${path}?playback=${flipped(token.length - 3)}`],
    ['lengthened', `${path}?playback=${token}=`],
    ['spelt another way', `${path}?playback=${token.slice(0, 9)}%20${token.slice(9)}`],
    ['cut', `${path}?playback=${token.slice(0, -20)}`],
    ['empty', `${path}?playback=`],
    ['made up', `${path}?playback=${Buffer.from('{"expiresAt":9e15}').toString('base64url')}`],
  ] as const) {
    const answer = await play(`https://lms.example${target}`);
    t.equal(answer.status, 401, title);
    t.match(await answer.json(), { code: 'UNAUTHORIZED' }, title);
  }
  t.equal((await play(`https://lms.example${path}?playback=${'a'.repeat(5_000)}`)).status, 422);
});

t.test('a token is good until its time, for its own secret, and does not show what it holds', (t) => {
  const tokens = createPlaybackTokens('one secret of many');
  const id = 'tz4a98xxat96iws9zmbrgj3a';
  const playback = { topicId: id, videoId: id, userId: id, passport: 'the-passport', expiresAt: 1_000_000 };
  const token = tokens.seal(playback);
  t.same(tokens.open(token, 999_999), playback);
  t.equal(tokens.open(token, 1_000_000), undefined);
  t.equal(createPlaybackTokens('another secret').open(token, 0), undefined);
  t.notMatch(Buffer.from(token, 'base64url').toString('latin1'), 'the-passport');
  t.not(tokens.seal(playback), token);
  t.end();
});

t.test('asking again under the same key gets the same URL', async (t) => {
  const { media, learner, topic } = await withVideo(t);
  const ask = () =>
    media.send(learner, `/api/education/topics/${topic.id}/video/playback`, {
      method: 'POST',
      headers: { 'idempotency-key': 'once' },
    });
  const first = await dataOf(await ask());
  const again = await ask();
  t.equal(again.headers.get('idempotency-replayed'), 'true');
  t.same(await dataOf(again), first);
});
