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
  const requestUrl = (user: typeof learner | null) =>
    media.send(user, `/api/education/topics/${topic.id}/video/playback`, { method: 'POST' });
  /** Requests the URL as a player does: without headers, but from this service's address. */
  const play = (url: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url);
    return media.send(null, `${pathname}${search}`, init);
  };
  return { media, topic, learner, requestUrl, play };
}

t.test('a playback URL works without a header for 15 minutes', async (t) => {
  const { requestUrl, play, learner, topic } = await withVideo(t);
  const response = await requestUrl(learner);
  t.equal(response.status, 200);
  const { url, expiresAt } = await dataOf(response);
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

t.test('a playback URL requires access to the topic, and a video', async (t) => {
  const { media, requestUrl, learner } = await withVideo(t);
  t.equal((await requestUrl(null)).status, 401);
  const refused = await requestUrl(testPrincipal());
  t.equal(refused.status, 403);
  t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED' });
  const empty = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  t.equal(
    (await media.send(learner, `/api/education/topics/${empty.id}/video/playback`, { method: 'POST' })).status,
    404,
  );
  t.equal((await media.send(learner, '/api/education/topics/nope/video/playback', { method: 'POST' })).status, 404);
});

t.test('a playback URL stops working when its video is replaced or removed', async (t) => {
  const { media, requestUrl, play, learner, topic } = await withVideo(t);
  const { url } = await dataOf(await requestUrl(learner));
  await replace(media, topic.id);
  t.equal((await play(url)).status, 404);
  const { url: newer } = await dataOf(await requestUrl(learner));
  t.equal((await play(newer)).status, 200);
  await media.send(admin, `/api/admin/education/topics/${topic.id}/video`, { method: 'DELETE' });
  t.equal((await play(newer)).status, 404);
});

t.test('a playback URL stops working when its owner loses access', async (t) => {
  const { requestUrl, play, learner, topic } = await withVideo(t);
  const { url } = await dataOf(await requestUrl(learner));
  topic.enrolled.delete(learner.userId);
  const refused = await play(url);
  t.equal(refused.status, 403);
  t.match(await refused.json(), { code: 'ENROLLMENT_REQUIRED' });
});

t.test('a token that was modified, truncated, used for another topic or forged returns 401', async (t) => {
  const { media, requestUrl, play, learner } = await withVideo(t);
  const { url } = await dataOf(await requestUrl(learner));
  const token = new URL(url).searchParams.get('playback') ?? '';
  const other = media.content.addTopic({ enrolled: new Set([learner.userId]) });
  await replace(media, other.id);
  const path = new URL(url).pathname;
  const flipped = (at: number) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  for (const [title, target] of [
    ['used for another topic', `/api/education/topics/${other.id}/video?playback=${token}`],
    ['modified at its beginning', `${path}?playback=${flipped(2)}`],
    ['modified in its middle', `${path}?playback=${flipped(token.length >> 1)}`],
    ['modified at its end', `${path}?playback=${flipped(token.length - 3)}`],
    ['lengthened', `${path}?playback=${token}=`],
    ['in a non-canonical encoding', `${path}?playback=${token.slice(0, 9)}%20${token.slice(9)}`],
    ['truncated', `${path}?playback=${token.slice(0, -20)}`],
    ['empty', `${path}?playback=`],
    ['forged', `${path}?playback=${Buffer.from('{"expiresAt":9e15}').toString('base64url')}`],
  ] as const) {
    const response = await play(`https://lms.example${target}`);
    t.equal(response.status, 401, title);
    t.match(await response.json(), { code: 'UNAUTHORIZED' }, title);
  }
  t.equal((await play(`https://lms.example${path}?playback=${'a'.repeat(5_000)}`)).status, 422);
});

t.test('a token is valid until it expires, only with its own secret, and its content is encrypted', (t) => {
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

t.test('a repeated request with the same Idempotency-Key returns the same URL', async (t) => {
  const { media, learner, topic } = await withVideo(t);
  const requestUrl = () =>
    media.send(learner, `/api/education/topics/${topic.id}/video/playback`, {
      method: 'POST',
      headers: { 'idempotency-key': 'once' },
    });
  const first = await dataOf(await requestUrl());
  const again = await requestUrl();
  t.equal(again.headers.get('idempotency-replayed'), 'true');
  t.same(await dataOf(again), first);
});
