import { METHODS } from 'node:http';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { sendRaw, statusesOf } from './send-raw.ts';
import { shareGateway } from './start-gateway.ts';

const sharedGateway = await shareGateway(t);

const id = 'tz4a98xxat96iws9zmbrgj3a';

// The documented interface, listed independently of the routing table on purpose.
const documented = `
POST /auth/sync
GET PUT /auth/profile
GET /auth/profile/export
GET /users
GET PUT /users/ID
GET POST DELETE /users/ID/roles
POST /users/ID/anonymize
POST /mentor/apply
GET /mentor/application
POST /mentor/applications/ID/withdraw
GET /admin/mentor
GET /admin/mentor/pending
GET /admin/mentor/ID
PUT /admin/mentor/ID/approve
PUT /admin/mentor/ID/reject
GET /admin/audit
POST /webhooks/identity
GET /education/levels
GET /education/levels/ID/grades
GET /education/grades/ID/subjects
GET /education/subjects/ID/topics
GET /education/levels/ID
GET /education/grades/ID
GET /education/subjects/ID
GET /education/topics/ID
GET /education/tree
GET /education/search
GET POST /admin/education/levels
GET POST /admin/education/grades
GET POST /admin/education/subjects
GET POST /admin/education/topics
GET PUT DELETE /admin/education/levels/ID
GET PUT DELETE /admin/education/grades/ID
GET PUT DELETE /admin/education/subjects/ID
GET PUT DELETE /admin/education/topics/ID
POST /admin/education/levels/ID/restore
POST /admin/education/grades/ID/restore
POST /admin/education/subjects/ID/restore
POST /admin/education/topics/ID/restore
PUT /admin/education/levels/reorder
PUT /admin/education/grades/reorder
PUT /admin/education/subjects/reorder
PUT /admin/education/topics/reorder
PUT /admin/education/subjects/ID/mentor
GET /mentor/subjects
PUT DELETE /admin/education/topics/ID/video
GET /education/topics/ID/video
POST /education/topics/ID/video/playback
POST /admin/education/topics/ID/video/uploads
HEAD PATCH DELETE /admin/education/topics/ID/video/uploads/ID
GET /admin/education/topics/ID/video/uploads/ID/result
PUT DELETE /admin/education/topics/ID/video/captions/pt-BR
GET /education/topics/ID/video/captions/pt-BR
GET /playback/TOKEN/master.m3u8
GET /playback/TOKEN/480/playlist.m3u8
GET /playback/TOKEN/480/init.mp4
GET /playback/TOKEN/480/12.m4s
GET /playback/TOKEN/poster.jpg
GET /playback/TOKEN/thumbnails.vtt
GET /playback/TOKEN/sprite.jpg
GET /playback/TOKEN/captions/pt-BR.vtt
POST /s3/document/upload
POST /s3/document/uploads
HEAD PATCH DELETE /s3/document/uploads/ID
GET /s3/document/uploads/ID/result
GET /s3/document/stream
DELETE /admin/education/topics/ID/documents/ID
POST /enrollment/request
GET /enrollment
GET /enrollment/ID
POST /enrollment/ID/cancel
POST /enrollment/ID/withdraw
GET /admin/enrollment/pending
GET POST /admin/enrollment
PUT /admin/enrollment/ID/approve
PUT /admin/enrollment/ID/reject
PUT /admin/enrollment/ID/revoke
POST /admin/enrollment/bulk
GET /mentor/subjects/ID/learners
PUT DELETE /learning/topics/ID/completion
PUT /learning/topics/ID/position
GET /learning/topics/ID/progress
GET /learning/subjects/ID/progress
GET /learning/progress
GET POST /learning/topics/ID/notes
GET /learning/notes
PUT DELETE /learning/notes/ID
`;

const endpoints = documented
  .trim()
  .split('\n')
  .map((line) => {
    const words = line.replaceAll('ID', id).replaceAll('TOKEN', 'a-token_'.repeat(200)).split(' ');
    return { methods: words.slice(0, -1), path: `/api${words.at(-1)}` };
  });
const anonymous = /^\/api\/(education\/|playback\/|auth\/sync|webhooks\/)/;

t.test('every endpoint is forwarded to its service with its path', async (t) => {
  const { send, authHeaders, upstream } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  for (const { methods, path } of endpoints)
    for (const method of methods) {
      const { status } = await send(`${path}?page=2`, { method, headers });
      t.equal(status, 200, `${method} ${path}`);
      t.match(upstream.lastRequest(), { method, url: `${path}?page=2` });
    }
  t.equal(upstream.requests.length, endpoints.flatMap(({ methods }) => methods).length);
});

t.test('HEAD is supported wherever GET is', async (t) => {
  const { send, authHeaders, upstream } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  for (const { methods, path } of endpoints) {
    const response = await send(path, { method: 'HEAD', headers });
    t.equal(response.status, methods.some((method) => ['GET', 'HEAD'].includes(method)) ? 200 : 405, `HEAD ${path}`);
    t.equal(response.bytes.length, 0);
  }
  t.ok(upstream.requests.every(({ method }) => method === 'HEAD'));
});

t.test('endpoints that need a token return 401 without one, and no request reaches a service', async (t) => {
  const { send, upstream } = sharedGateway();
  for (const { methods, path } of endpoints) {
    if (anonymous.test(path) && !path.endsWith('/playback')) continue;
    for (const method of methods.filter((one) => one !== 'HEAD')) {
      const { status, json, headers } = await send(path, { method });
      t.equal(status, 401, `${method} ${path}`);
      t.match(json, { success: false, code: 'UNAUTHORIZED', error: 'Authentication required' });
      t.equal(headers['www-authenticate'], 'Bearer');
      t.equal(json.requestId, headers['x-request-id']);
    }
  }
  t.equal(upstream.requests.length, 0);
});

t.test('a known path with another method returns 405 with the allowed methods', async (t) => {
  const { send, port } = sharedGateway();
  for (const { methods, path } of endpoints) {
    const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'].filter((one) => !allowed.includes(one))) {
      const { status, json, headers } = await send(path, { method });
      t.equal(status, 405, `${method} ${path}`);
      t.equal(json.code, 'METHOD_NOT_ALLOWED');
      t.same(String(headers.allow).split(', ').sort(), allowed.sort());
    }
  }
  for (const method of METHODS.filter((one) => !['GET', 'HEAD', 'OPTIONS'].includes(one)))
    t.same(
      statusesOf(
        await sendRaw(port, `${method} /api/education/levels HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      ),
      [405],
      method,
    );
  const unknown = await sendRaw(port, 'BREW /api/education/levels HTTP/1.1\r\nHost: x\r\n\r\n');
  t.same(statusesOf(unknown), [405]);
  t.match(unknown, /"code":"METHOD_NOT_ALLOWED"/);
});

t.test('an unknown path returns 404 in the envelope, with and without a token', async (t) => {
  const { send, authHeaders, upstream } = sharedGateway();
  for (const path of ['/api/', '/api/nothing', '/api/users/', '/API/users', '/internal/principals', '/metrics'])
    for (const headers of [{}, await authHeaders()]) {
      const response = await send(path, { headers });
      t.equal(response.status, 404, path);
      t.match(response.json, { success: false, code: 'NOT_FOUND', requestId: response.headers['x-request-id'] });
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    }
  t.equal(upstream.requests.length, 0);
});

t.test('the gateway is alive, and ready as long as one service responds', async (t) => {
  const { send } = sharedGateway();
  t.match(await send('/healthz'), { status: 200, json: { status: 'alive' } });
  t.match(await send('/readyz'), {
    status: 200,
    json: { status: 'degraded', checks: { services: 'ok', content: 'ok', nats: 'unavailable' } },
  });
});
