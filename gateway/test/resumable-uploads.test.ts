import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { shareQuotas } from './start-quotas.ts';
import { readAll } from './start-upstream.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const uploads = `/api/admin/education/topics/${id}/video/uploads`;
const upload = `${uploads}/${id}`;
const bytes = { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' };
const origin = 'https://app.example';
const sharedQuotas = await shareQuotas(t, { environment: { CORS_ORIGINS: origin, RATE_LIMIT_UPLOAD: '2' } });
const finished = { 'x-lms-upload-finished': '1' };

t.test('headers of the protocol pass in both directions, and bytes are unchanged', async (t) => {
  const { send, authHeaders, upstream } = sharedQuotas();
  const headers = { ...(await authHeaders(testPrincipal(['ADMIN']))), ...bytes };
  const given = { 'upload-offset': '5', 'upload-expires': 'tomorrow', location: `${uploads}/1`, ...finished };
  let received: { method?: string | undefined; headers: object; body: Buffer } | undefined;
  upstream.respondWith(async (incoming, outgoing) => {
    const { method, headers } = incoming;
    received = { method, headers, body: await readAll(incoming) };
    outgoing.writeHead(201, { ...given, 'tus-resumable': '1.0.0' }).end();
  });
  const sent = { 'upload-length': '9', 'upload-metadata': 'filename YQ==', 'upload-checksum': 'sha1 AA==' };
  const created = await send(uploads, {
    method: 'POST',
    headers: { ...headers, ...sent },
    body: Buffer.from('\0\xff\r\n'),
  });
  const { 'x-lms-upload-finished': _, ...passed } = given;
  t.match(created, { status: 201, headers: { ...passed, 'tus-resumable': '1.0.0' } });
  t.equal(created.headers['x-lms-upload-finished'], undefined);
  t.match(received, { method: 'POST', headers: { ...bytes, ...sent } });
  t.same(received?.body, Buffer.from('\0\xff\r\n'));
  // Without a body too: media refuses another type.
  await send(upload, { method: 'PATCH', headers: { ...headers, 'upload-offset': '9' } });
  t.match(received, { method: 'PATCH', headers: bytes });
});

t.test('POST with X-HTTP-Method-Override stands for PATCH and DELETE of an upload, and of nothing else', async (t) => {
  const { send, authHeaders, upstream } = sharedQuotas();
  const headers = { ...(await authHeaders(testPrincipal(['ADMIN']))), ...bytes };
  const override = (path: string, method: string) =>
    send(path, { method: 'POST', headers: { ...headers, 'x-http-method-override': method }, body: 'bytes' });
  for (const method of ['PATCH', 'DELETE']) {
    t.equal((await override(upload, method)).status, 200);
    t.match(upstream.lastRequest(), { method, url: upload, body: Buffer.from('bytes') });
  }
  for (const method of ['HEAD', 'GET', 'patch', 'TRACE']) t.equal((await override(upload, method)).status, 405, method);
  t.equal((await override(uploads, 'DELETE')).status, 200);
  t.match(upstream.lastRequest(), { method: 'POST', url: uploads });
  t.equal((await override('/api/users/1', 'DELETE')).status, 405);
});

t.test("the gateway's own responses have the version of the protocol, once", async (t) => {
  const { send, authHeaders, upstream } = sharedQuotas();
  const headers = { ...(await authHeaders(testPrincipal(['ADMIN']))), ...bytes };
  const version = async (...request: Parameters<typeof send>) => {
    const { status, headers } = await send(...request);
    return [status, headers['tus-resumable']];
  };
  for (const path of [uploads, upload]) {
    t.same(await version(path, { method: 'PUT', headers }), [405, '1.0.0']);
    t.same(await version(path, { method: path === uploads ? 'POST' : 'HEAD' }), [401, '1.0.0']);
  }
  t.same(await version(upload, { method: 'OPTIONS' }), [204, '1.0.0']);
  t.same(await version('/api/auth/profile'), [401, undefined], 'other routes have not');
  upstream.respondWith((_incoming, outgoing) => void outgoing.writeHead(204, { 'tus-resumable': '1.0.0' }).end());
  t.same(await version(upload, { method: 'DELETE', headers }), [204, '1.0.0']);
  upstream.respondWith((incoming) => void incoming.destroy());
  t.same(await version(upload, { method: 'PATCH', headers, body: 'bytes' }), [503, '1.0.0']);
});

t.test('OPTIONS is forwarded without a token, and a preflight is not', async (t) => {
  const { send, upstream } = sharedQuotas();
  let forwarded = 0;
  upstream.respondWith((_incoming, outgoing) => {
    forwarded += 1;
    outgoing.writeHead(204, { 'tus-max-size': '7' }).end();
  });
  const described = await send(uploads, { method: 'OPTIONS' });
  t.match(described, { status: 204, headers: { allow: 'OPTIONS, POST', 'tus-max-size': '7' } });
  t.equal(forwarded, 1);
  for (const [path, method] of [
    [uploads, 'POST'],
    [upload, 'PATCH'],
  ] as const) {
    const preflight = await send(path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'tus-resumable',
      },
    });
    t.equal(preflight.status, 204);
    t.match(preflight.headers['access-control-allow-methods'], method);
    for (const name of ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'Upload-Checksum'])
      t.match(preflight.headers['access-control-allow-headers'], name);
  }
  t.equal(forwarded, 1);
  const { headers } = await send(uploads, { method: 'POST', headers: { origin } });
  for (const name of ['Location', 'Upload-Offset', 'Tus-Max-Size', 'Upload-Expires'])
    t.match(headers['access-control-expose-headers'], name);
});

t.test('a resumable upload counts once, when media says that it has succeeded', async (t) => {
  const { send, authHeaders, upstream, client, keyOf } = sharedQuotas();
  const mentor = testPrincipal(['MENTOR']);
  const headers = { ...(await authHeaders(mentor)), ...bytes };
  const used = async (metric: 'uploads' | 'apiCalls') =>
    (await send('/api/auth/usage', { headers: { authorization: headers.authorization } })).json.data[metric].used;
  const respondWith = (status: number, given: Record<string, string> = {}) =>
    upstream.respondWith((_request, response) => void response.writeHead(status, given).end());

  respondWith(201);
  t.equal((await send(uploads, { method: 'POST', headers })).status, 201);
  respondWith(204);
  for (let count = 0; count < 25; count += 1)
    t.equal(
      (await send(upload, { method: 'PATCH', headers, body: 'bytes' })).status,
      204,
      'no limit of uploads a minute',
    );
  await waitFor(async () => (await used('uploads')) === 0, { until: 'no upload' });
  respondWith(204, finished);
  t.equal((await send(upload, { method: 'PATCH', headers, body: 'bytes' })).status, 204);
  await waitFor(async () => (await used('uploads')) === 1, { until: 'one upload' });
  respondWith(202);
  await send(`${upload}/result`, { headers });
  respondWith(200, finished);
  await send(`${upload}/result`, { headers });
  await waitFor(async () => (await used('uploads')) === 2, { until: 'two uploads' });
  t.ok((await used('apiCalls')) >= 29, 'each request is a call');

  await client.hincrby(keyOf(mentor.userId), 'uploads', 8);
  respondWith(200);
  await waitFor(async () => (await used('uploads')) >= 10);
  for (const [method, path] of [
    ['POST', uploads],
    ['PATCH', upload],
  ] as const) {
    const refused = await send(path, { method, headers });
    t.match(refused.json, { code: 'QUOTA_EXCEEDED', details: { metric: 'uploads', limit: 10 } }, method);
  }
  t.equal((await send(`${upload}/result`, { headers })).status, 200, 'the last result is readable');
});

t.test('resumable uploads that end at the same time do not exceed the quota', async (t) => {
  const { send, authHeaders, upstream, client, keyOf } = sharedQuotas();
  const mentor = testPrincipal(['MENTOR']);
  const headers = { ...(await authHeaders(mentor)), ...bytes };
  await client.hset(keyOf(mentor.userId), 'uploads', 7);
  const responses: (() => void)[] = [];
  upstream.respondWith((_request, response) => void responses.push(() => response.writeHead(204, finished).end()));
  const sent = Array.from({ length: 6 }, () => send(upload, { method: 'PATCH', headers, body: 'bytes' }));
  await waitFor(() => responses.length === 3);
  for (const respond of responses) respond();
  const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
  t.same(statuses, [204, 204, 204, 429, 429, 429]);
  const used = async () =>
    (await send('/api/auth/usage', { headers: { authorization: headers.authorization } })).json.data.uploads.used;
  await waitFor(async () => (await used()) === 10, { until: 'ten uploads' });
  t.equal((await send(upload, { method: 'PATCH', headers, body: 'bytes' })).status, 429, 'the quota is used up');
});

t.test('only the beginning of a resumable upload counts against the uploads a minute', async (t) => {
  const { send, authHeaders } = sharedQuotas();
  const headers = { ...(await authHeaders(testPrincipal(['ADMIN']))), ...bytes };
  const statuses = [];
  for (const [method, path] of [
    ['POST', uploads],
    ['PATCH', upload],
    ['PATCH', upload],
    ['POST', '/api/s3/document/uploads'],
    ['POST', uploads],
    ['PATCH', upload],
  ] as const)
    statuses.push((await send(path, { method, headers })).status);
  t.same(statuses, [200, 200, 200, 200, 429, 200]);
});
