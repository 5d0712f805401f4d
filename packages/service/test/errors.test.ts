import t from 'tap';
import { badRequest, Conflict, conflict, defineProblem, InvalidToken, invalid, Unauthorized } from '../src/problems.ts';
import { buildServer } from './build-server.ts';
import { createId } from './create-id.ts';

const json = 'application/json; charset=utf-8';

t.test('an unknown route is a 404 in the envelope, whatever comes with it', async (t) => {
  const { app } = buildServer(t);
  const requests = [
    { url: '/nowhere' },
    { url: '/' },
    { url: '//' },
    { url: '/nowhere', method: 'POST', payload: 'x', headers: { 'content-type': 'text/plain' } },
    { url: '/nowhere', method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } },
    {
      url: '/nowhere',
      method: 'POST',
      payload: 'x'.repeat(2_000_000),
      headers: { 'content-type': 'application/json' },
    },
    { url: '/things', method: 'DELETE' },
    { url: '/nowhere?page=%00' },
    { url: '/things/%zz' },
    { url: '/%' },
  ] as const;
  for (const request of requests) {
    const answer = await app.inject(request);
    t.equal(answer.statusCode, 404, request.url.slice(0, 50));
    t.same(answer.json(), {
      success: false,
      error: 'Route not found',
      code: 'NOT_FOUND',
      requestId: answer.headers['x-request-id'],
    });
    t.equal(answer.headers['content-type'], json);
  }
});

t.test('an id that cannot exist is a 404 before the body is looked at', async (t) => {
  const { app } = buildServer(t);
  const bad = { method: 'PUT', headers: { 'content-type': 'application/json' }, payload: '{' } as const;
  for (const id of [
    '1',
    'x'.repeat(23),
    '',
    'T'.repeat(24),
    "'%20or%201=1",
    '%00',
    '%F0%9F%98%80',
    '..%2f..',
    `${createId()}x`,
    'x'.repeat(5_000),
  ])
    for (const request of [bad, { ...bad, headers: { 'content-type': 'text/plain' } }, { method: 'GET' } as const]) {
      const answer = await app.inject({ ...request, url: `/things/${id}` });
      t.equal(answer.statusCode, 404, `${request.method} ${id}`);
      t.match(answer.json(), { success: false, error: 'Thing not found', code: 'NOT_FOUND' });
    }
  t.equal((await app.inject({ ...bad, url: `/things/${createId()}` })).statusCode, 400, 'a possible one goes on');
});

t.test('a parameter of another shape than an id is left to its schema', async (t) => {
  const { app } = buildServer(t);
  const text = (lang: string) => app.inject(`/things/${createId()}/texts/${lang}`);
  t.equal((await text('de-AT')).statusCode, 200);
  t.match(await text('de_AT'), { statusCode: 404, body: /"error":"Translation not found"/ });
  t.match(await app.inject('/things/1/texts/de'), { statusCode: 404, body: /"error":"Thing not found"/ });
});

t.test('a URL over 8 KiB is a 414, before anything else is looked at', async (t) => {
  const { app } = buildServer(t);
  const long = (start: string, bytes: number) => start + 'x'.repeat(bytes - start.length);
  for (const url of ['/things?search=', '/things/', '/nowhere?', '/things/%zz', '/guarded/1?', '/files/'])
    for (const method of ['GET', 'PUT'] as const) {
      const answer = await app.inject({ method, url: long(url, 8_193), payload: '{', headers: { who: 'learner' } });
      t.equal(answer.statusCode, 414, `${method} ${url}`);
      t.match(answer.json(), { success: false, error: 'The URL is longer than 8 KiB', code: 'URI_TOO_LONG' });
      t.equal(answer.headers['x-request-id'], answer.json().requestId);
    }
  t.equal((await app.inject(long('/things?unknown=', 8_192))).statusCode, 200, '8 KiB are fine');
});

t.test('the rest of a path is no id', async (t) => {
  const { app } = buildServer(t);
  t.same((await app.inject('/files/a/b.txt')).json().data, { '*': 'a/b.txt' });
});

t.test('who may not call learns that first: 401, 403, 404, 415, 400, 422', async (t) => {
  const { app } = buildServer(t);
  const payload = '{"__proto__":1}';
  const text = { 'content-type': 'text/plain' };
  const possible = `/guarded/${createId()}`;
  const steps = [
    [401, '/guarded/1', text, payload],
    [403, '/guarded/1', { who: 'learner', ...text }, payload],
    [404, '/guarded/1', { who: 'admin', ...text }, payload],
    [415, possible, { who: 'admin', ...text }, payload],
    [400, possible, { who: 'admin', 'content-type': 'application/json' }, payload],
    [422, possible, { who: 'admin', 'content-type': 'application/json' }, '{}'],
    [200, possible, { who: 'admin', 'content-type': 'application/json' }, '{"name":"x"}'],
  ] as const;
  for (const [status, url, headers, body] of steps) {
    const answer = await app.inject({ method: 'PUT', url, headers, payload: body });
    t.equal(answer.statusCode, status);
    t.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
    if (status === 403)
      t.match(answer.json(), {
        error: 'Insufficient permissions',
        code: 'FORBIDDEN',
        details: { required: ['ADMIN'], user_roles: [] },
      });
  }
});

t.test('an unexpected failure is a 500 that tells nothing, and an error in the log that tells all', async (t) => {
  for (const url of ['/crash', '/throw-text', '/throw-null', '/broken-answer']) {
    const { app, lines } = buildServer(t);
    const answer = await app.inject(url);
    t.equal(answer.statusCode, 500, url);
    const requestId = answer.headers['x-request-id'];
    t.same(answer.json(), { success: false, error: 'Internal server error', code: 'INTERNAL_ERROR', requestId });
    const told = lines.filter(({ level }) => level >= 50);
    t.equal(told.length, 1, `${url}: one line`);
    t.match(told[0], { requestId });
    if (url === '/crash') t.equal(told[0]?.err?.message, 'password=hunter2');
  }
});

t.test('an outage is a 503 that tells when to come back', async (t) => {
  const { app } = buildServer(t);
  const answer = await app.inject('/outage');
  t.equal(answer.statusCode, 503);
  t.match(answer.headers, { 'retry-after': /^\d+$/, 'content-type': json });
  t.match(answer.json(), { error: 'Service temporarily unavailable', code: 'SERVICE_UNAVAILABLE' });
  t.notMatch(answer.body, /disk/);
});

t.test('a taken value is a 409 that names it', async (t) => {
  const { app, lines } = buildServer(t);
  const answer = await app.inject('/conflict');
  t.equal(answer.statusCode, 409);
  t.match(answer.json(), {
    error: 'Resource already exists',
    code: 'CONFLICT',
    details: { resource: 'thing', field: 'name', value: 'x' },
  });
  t.notOk(lines.some(({ level }) => level >= 50));
});

t.test('every request leaves one line, without its query', async (t) => {
  const { app, lines } = buildServer(t);
  await app.inject({ url: '/things?search=secret', headers: { 'x-request-id': 'request-0001' } });
  const told = lines.filter(({ msg }) => msg === 'request');
  t.equal(told.length, 1);
  t.match(told[0], {
    level: 30,
    requestId: 'request-0001',
    method: 'GET',
    route: '/things',
    status: 200,
    durationMs: Number,
  });
  t.notMatch(JSON.stringify(lines), /secret/);
});

t.test('an acceptable request id is kept, another one replaced', async (t) => {
  const { app } = buildServer(t);
  const id = async (given?: string) => {
    const answer = await app.inject({ url: '/nowhere', headers: given === undefined ? {} : { 'x-request-id': given } });
    t.equal(answer.json().requestId, answer.headers['x-request-id']);
    return answer.headers['x-request-id'];
  };
  t.equal(await id('abc_DEF-123'), 'abc_DEF-123');
  t.equal(await id('a'.repeat(64)), 'a'.repeat(64));
  for (const odd of [undefined, '', 'short', 'a'.repeat(65), 'has space', 'a;b;c;d;e', 'ümlaut-umlaut'])
    t.match(await id(odd), /^[\w-]{36}$/, String(odd));
  t.not(await id(), await id());
  const success = await app.inject({ url: '/things', headers: { 'x-request-id': 'abcdefgh' } });
  t.equal(success.headers['x-request-id'], 'abcdefgh');
});

t.test('HEAD answers as GET does, without the body', async (t) => {
  const { app } = buildServer(t);
  const [head, get] = [await app.inject({ method: 'HEAD', url: '/things' }), await app.inject('/things')];
  t.equal(head.statusCode, 200);
  t.equal(head.body, '');
  for (const header of ['content-type', 'content-length', 'link', 'etag'])
    t.equal(head.headers[header], get.headers[header], header);
});

t.test('an answer carries what its schema names and nothing else', async (t) => {
  const { app } = buildServer(t);
  const id = createId();
  const answer = await app.inject(`/things/${id}`);
  t.equal(answer.headers['content-type'], json);
  t.same(answer.json(), {
    success: true,
    data: {
      id,
      at: '2026-01-31T12:00:00.000Z',
      picture: { url: 'https://example.org', at: '2026-01-31T12:00:00.000Z' },
    },
  });
});

t.test('entries of a catalogue with the same code are told apart', async (t) => {
  t.ok(new Unauthorized() instanceof Unauthorized);
  t.notOk(new InvalidToken() instanceof Unauthorized);
  const GradeNotFound = defineProblem('NOT_FOUND', 404, 'Grade not found');
  const TopicNotFound = defineProblem('NOT_FOUND', 404, 'Topic not found');
  t.notOk(new GradeNotFound() instanceof TopicNotFound);
  t.ok(conflict({ resource: 'r', field: 'f', value: 1 }) instanceof Conflict);
  t.notOk(Object(null) instanceof TopicNotFound);
  t.equal(defineProblem('CONFLICT', 409, '100 % taken').name, 'Entry');
});

t.test('a 400 of our own has the same text, and names one field', async (t) => {
  const problem = badRequest({ field: 'path', message: 'is ambiguous', value: '/..' });
  t.match(problem, { statusCode: 400, code: 'VALIDATION_ERROR', message: 'Validation failed' });
  t.same(problem.details, { field: 'path', message: 'is ambiguous', value: '/..' });
});

t.test('a 422 of our own looks like one of the validator', async (t) => {
  const problem = invalid(
    { field: 'ids', message: 'must name all', value: 'x'.repeat(500) },
    { field: 'a', message: 'b' },
  );
  t.match(problem, { statusCode: 422, code: 'VALIDATION_ERROR', message: 'Validation failed' });
  t.same(problem.details, {
    field: 'ids',
    message: 'must name all',
    value: 'x'.repeat(200),
    issues: [
      { field: 'ids', message: 'must name all', value: 'x'.repeat(200) },
      { field: 'a', message: 'b', value: null },
    ],
  });
});
