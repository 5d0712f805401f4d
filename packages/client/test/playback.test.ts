import t from 'tap';
import { ApiError, createClient } from '../src/index.ts';
import { failure, json, serve } from './serve.ts';

t.jobs = 4;

/** A response to a device whose clock is 14 minutes fast. */
const playback = (expiresInSeconds: number, url = '') => ({
  success: true,
  data: { url, expiresInSeconds, expiresAt: new Date(Date.now() + (expiresInSeconds - 14 * 60) * 1_000).toISOString() },
});

t.test('the addresses of a playback are renewed before they expire, until the service ends it', async (t) => {
  const { baseUrl, count } = await serve(t, (request, response, at) => {
    if (at === 2) return request.socket.destroy();
    if (at > 3) return json(response, 403, failure('ENROLLMENT_REQUIRED'));
    return json(response, 200, playback(60, String(at)));
  });
  const client = createClient({ baseUrl });
  const renewed: string[] = [];
  const onRenewed = ({ url }: { url: string }) => {
    renewed.push(url);
    throw new Error('an error of the app, which must not begin another renewal');
  };
  const ended = new Promise<unknown>((onEnded) => {
    client.play('topic', { onRenewed, onEnded }).then(({ url }) => renewed.push(url));
  });
  t.match(await ended, { code: 'ENROLLMENT_REQUIRED' });
  t.strictSame(renewed, ['1', '3'], 'a lost connection is not the end');
  await t.rejects(client.play('topic', { onRenewed: () => undefined }), ApiError);
  t.equal(count(), 5);
});

t.test('a clock that is fast does not renew a playback early', async (t) => {
  const { baseUrl } = await serve(t, (_request, response) => json(response, 200, playback(900)));
  const leaving = new AbortController();
  const timers = t.capture(globalThis, 'setTimeout', globalThis.setTimeout);
  await createClient({ baseUrl }).play('topic', { onRenewed: () => undefined, signal: leaving.signal });
  const delays = timers().map(({ args }) => args[1]);
  leaving.abort();
  t.equal(Math.max(...delays.map(Number)), 840_000);
});

t.test('a quota that is used up ends a playback', async (t) => {
  const { baseUrl } = await serve(t, (_request, response, at) => {
    if (at === 1) return json(response, 200, playback(60));
    return at === 2 ? json(response, 429, failure('QUOTA_EXCEEDED')) : json(response, 403, failure('FORBIDDEN'));
  });
  const ended = new Promise((onEnded) => {
    createClient({ baseUrl }).play('topic', { onRenewed: () => undefined, onEnded });
  });
  t.match(await ended, { code: 'QUOTA_EXCEEDED' });
});

t.test('a renewal is tried again when the server says', async (t) => {
  const requestedAt: number[] = [];
  const { baseUrl } = await serve(t, (_request, response, at) => {
    requestedAt.push(performance.now());
    if (at === 1) return json(response, 200, playback(60));
    return at === 2
      ? json(response, 429, failure('RATE_LIMITED'), { 'retry-after': '7' })
      : json(response, 403, failure('ENROLLMENT_REQUIRED'));
  });
  await new Promise((onEnded) => {
    createClient({ baseUrl, retries: 0 }).play('topic', { onRenewed: () => undefined, onEnded });
  });
  const [, second = 0, third = 0] = requestedAt;
  t.ok(third - second > 6_900, 'later than after a lost connection');
});
