import { request } from 'node:http';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { untilRedisIsUp } from './start-gateway.ts';
import { shareQuotas, startQuotas, usageOf } from './start-quotas.ts';
import { sendJson } from './start-upstream.ts';

const sharedQuotas = await shareQuotas(t);
const document = '/api/s3/document/upload';

t.test('concurrent uploads cannot exceed the quota: running ones are reserved, failed ones refunded', async (t) => {
  const gateway = sharedQuotas();
  const { send, authHeaders, upstream, store, storedUploads } = gateway;
  const mentor = testPrincipal(['MENTOR']);
  const headers = await authHeaders(mentor);
  await store(mentor.userId, { uploads: 7 });

  const pending: (() => void)[] = [];
  let status = 201;
  upstream.respondWith((incoming, outgoing) => {
    incoming.resume();
    pending.push(() => sendJson(outgoing, status, { success: true }));
  });
  const burst = () => Array.from({ length: 8 }, () => send(document, { method: 'POST', headers, body: 'bytes' }));
  const finish = () => {
    for (const respond of pending.splice(0)) respond();
  };

  const failing = burst();
  await waitFor(() => pending.length === 3, { until: 'three uploads to run' });
  const refused = await Promise.race(failing);
  t.match(refused, {
    status: 429,
    headers: { 'x-quota-limit': '10', 'x-quota-remaining': '0' },
    json: { code: 'QUOTA_EXCEEDED', details: { plan: 'FREE', metric: 'uploads', limit: 10, used: 10 } },
  });
  status = 400;
  finish();
  t.equal((await Promise.all(failing)).filter((response) => response.status === 429).length, 5);
  await waitFor(async () => (await storedUploads(mentor.userId)) === 7, {
    until: 'the failed uploads to be given back',
  });
  t.equal((await usageOf(gateway, headers)).uploads.used, 7);

  status = 201;
  const working = burst();
  await waitFor(() => pending.length === 3, { until: 'three uploads to run' });
  finish();
  t.equal((await Promise.all(working)).filter((response) => response.status === 201).length, 3);
  await waitFor(async () => (await usageOf(gateway, headers)).uploads.used === 10, { until: 'the uploads to count' });
  t.match(await send(document, { method: 'POST', headers, body: 'bytes' }), {
    status: 429,
    json: { details: { metric: 'uploads', used: 10 } },
  });
});

t.test('X-Quota-Remaining does not include the upload that failed', async (t) => {
  const { send, authHeaders, upstream, storedUploads } = sharedQuotas();
  const mentor = testPrincipal(['MENTOR']);
  const headers = await authHeaders(mentor);
  let succeeded = 0;
  for (const [status, left] of [
    [422, '10'],
    [503, '10'],
    [201, '9'],
    [400, '9'],
  ] as const) {
    upstream.respondWith((incoming, outgoing) => {
      incoming.resume();
      sendJson(outgoing, status, { success: status < 300 });
    });
    const { headers: received } = await send(document, { method: 'POST', headers, body: 'bytes' });
    t.equal(received['x-quota-remaining'], left, `after ${status}`);
    if (status === 201) succeeded += 1;
    await waitFor(async () => (await storedUploads(mentor.userId)) === succeeded);
  }
});

t.test('an upload whose client disconnects is given back', async (t) => {
  const gateway = sharedQuotas();
  const { authHeaders, upstream, url, storedUploads } = gateway;
  const mentor = testPrincipal(['MENTOR']);
  const headers = await authHeaders(mentor);
  let arrived = false;
  upstream.respondWith((incoming) => {
    arrived = true;
    incoming.on('error', () => undefined).resume();
  });
  const upload = request(url + document, { method: 'POST', headers }).on('error', () => undefined);
  upload.write(Buffer.alloc(1_024));
  await waitFor(() => arrived, { until: 'the upload to arrive' });
  t.equal(await storedUploads(mentor.userId), 1);
  upload.destroy();
  await waitFor(async () => (await storedUploads(mentor.userId)) === 0, {
    until: 'the upload to be given back',
  });
  t.equal((await usageOf(gateway, headers)).uploads.used, 0);
});

/** Starts a gateway that gives Redis 50 ms, and a mentor who has used this many uploads. */
async function startWithUploads(t: Test, uploads: number) {
  const gateway = await startQuotas(t, { options: { redisTimeoutMs: 50 } });
  const mentor = testPrincipal(['MENTOR']);
  const headers = await gateway.authHeaders(mentor);
  await gateway.store(mentor.userId, { uploads });
  const isKnown = async () => (await usageOf(gateway, headers)).uploads.used === uploads;
  await waitFor(isKnown, { until: 'the usage to be known' });
  return { ...gateway, gateway, headers };
}

t.test('an upload whose client disconnects while it is counted does not count', async (t) => {
  const { app, url, send, headers, redis } = await startWithUploads(t, 9);

  redis.process().kill('SIGSTOP');
  t.teardown(() => redis.process().kill('SIGCONT'));
  const leaving = request(url + document, { method: 'POST', headers }).on('error', () => undefined);
  leaving.write('bytes', () => leaving.destroy());
  await waitFor(() => !app.redis.isUp(), { until: 'the gateway to stop using Redis' });
  await waitFor(async () => (await send(document, { method: 'POST', headers, body: 'bytes' })).status === 200, {
    until: 'the tenth upload to be accepted',
  });
  t.equal((await send(document, { method: 'POST', headers, body: 'bytes' })).status, 429);
});

t.test('an upload that ends while Redis is frozen counts once when it is back', async (t) => {
  const { gateway, app, send, headers, upstream, redis } = await startWithUploads(t, 8);
  let sendResponse: (() => void) | undefined;
  upstream.respondWith((incoming, outgoing) => {
    incoming.resume();
    sendResponse = () => sendJson(outgoing, 201, { success: true });
  });
  const upload = () => send(document, { method: 'POST', headers, body: 'bytes' });
  const ninth = upload();
  await waitFor(() => sendResponse !== undefined, { until: 'the upload to run' });
  redis.process().kill('SIGSTOP');
  t.teardown(() => redis.process().kill('SIGCONT'));
  await send('/api/education/levels', { method: 'OPTIONS' });
  await waitFor(() => !app.redis.isUp(), { until: 'the gateway to stop using Redis' });
  sendResponse?.();
  t.equal((await ninth).status, 201);
  redis.process().kill('SIGCONT');
  await untilRedisIsUp(gateway);
  upstream.respondWith(undefined);
  t.equal((await upload()).status, 200, 'the tenth is accepted');
  t.equal((await upload()).status, 429);
});
