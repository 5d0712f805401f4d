import { Type } from '@sinclair/typebox';
import t from 'tap';
import { badRequest, Conflict, conflict, defineProblem, InvalidToken, invalid, Unauthorized } from '../src/problems.ts';
import { buildServer } from './build-server.ts';
import { createId } from './create-id.ts';

const json = 'application/json; charset=utf-8';

t.test('an unknown route is a 404 with the envelope, whatever the request contains', async (t) => {
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
    const response = await app.inject(request);
    t.equal(response.statusCode, 404, request.url.slice(0, 50));
    t.same(response.json(), {
      success: false,
      error: 'Route not found',
      code: 'NOT_FOUND',
      requestId: response.headers['x-request-id'],
    });
    t.equal(response.headers['content-type'], json);
  }
});

t.test('a malformed id is a 404 before the body is parsed', async (t) => {
  const { app } = buildServer(t);
  const invalidBody = { method: 'PUT', headers: { 'content-type': 'application/json' }, payload: '{' } as const;
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
    for (const request of [
      invalidBody,
      { ...invalidBody, headers: { 'content-type': 'text/plain' } },
      { method: 'GET' } as const,
    ]) {
      const response = await app.inject({ ...request, url: `/things/${id}` });
      t.equal(response.statusCode, 404, `${request.method} ${id}`);
      t.match(response.json(), { success: false, error: 'Thing not found', code: 'NOT_FOUND' });
    }
  t.equal(
    (await app.inject({ ...invalidBody, url: `/things/${createId()}` })).statusCode,
    400,
    'with a well-formed id',
  );
});

t.test('a parameter that is not an id is validated by its schema', async (t) => {
  const { app } = buildServer(t);
  const text = (lang: string) => app.inject(`/things/${createId()}/texts/${lang}`);
  t.equal((await text('de-AT')).statusCode, 200);
  t.match(await text('de_AT'), { statusCode: 404, body: /"error":"Translation not found"/ });
  t.match(await app.inject('/things/1/texts/de'), { statusCode: 404, body: /"error":"Thing not found"/ });
});

t.test('a URL over 8 KiB is a 414, before anything else is checked', async (t) => {
  const { app } = buildServer(t);
  const long = (start: string, bytes: number) => start + 'x'.repeat(bytes - start.length);
  for (const url of ['/things?search=', '/things/', '/nowhere?', '/things/%zz', '/admin/1?', '/files/'])
    for (const method of ['GET', 'PUT'] as const) {
      const response = await app.inject({ method, url: long(url, 8_193), payload: '{', headers: { role: 'learner' } });
      t.equal(response.statusCode, 414, `${method} ${url}`);
      t.match(response.json(), { success: false, error: 'The URL is longer than 8 KiB', code: 'URI_TOO_LONG' });
      t.equal(response.headers['x-request-id'], response.json().requestId);
    }
  t.equal((await app.inject(long('/things?unknown=', 8_192))).statusCode, 200, '8 KiB are accepted');
});

t.test('a wildcard parameter is not an id', async (t) => {
  const { app } = buildServer(t);
  t.same((await app.inject('/files/a/b.txt')).json().data, { '*': 'a/b.txt' });
});

t.test('errors are checked in order: 401, 403, 404, 415, 400, 422', async (t) => {
  const { app } = buildServer(t);
  const payload = '{"__proto__":1}';
  const text = { 'content-type': 'text/plain' };
  const validUrl = `/admin/${createId()}`;
  const steps = [
    [401, '/admin/1', text, payload],
    [403, '/admin/1', { role: 'learner', ...text }, payload],
    [404, '/admin/1', { role: 'admin', ...text }, payload],
    [415, validUrl, { role: 'admin', ...text }, payload],
    [400, validUrl, { role: 'admin', 'content-type': 'application/json' }, payload],
    [422, validUrl, { role: 'admin', 'content-type': 'application/json' }, '{}'],
    [200, validUrl, { role: 'admin', 'content-type': 'application/json' }, '{"name":"x"}'],
  ] as const;
  for (const [status, url, headers, body] of steps) {
    const response = await app.inject({ method: 'PUT', url, headers, payload: body });
    t.equal(response.statusCode, status);
    t.equal(response.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
    if (status === 403)
      t.match(response.json(), {
        error: 'Insufficient permissions',
        code: 'FORBIDDEN',
        details: { required: ['ADMIN'], user_roles: [] },
      });
  }
});

t.test('an unexpected error is a 500 without details and is logged with details', async (t) => {
  for (const url of ['/crash', '/throw-text', '/throw-null', '/invalid-response']) {
    const { app, lines } = buildServer(t);
    const response = await app.inject(url);
    t.equal(response.statusCode, 500, url);
    const requestId = response.headers['x-request-id'];
    t.same(response.json(), { success: false, error: 'Internal server error', code: 'INTERNAL_ERROR', requestId });
    const logged = lines.filter(({ level }) => level >= 50);
    t.equal(logged.length, 1, `${url}: one line`);
    t.match(logged[0], { requestId });
    if (url === '/crash') t.equal(logged[0]?.err?.message, 'password=hunter2');
  }
});

t.test('an outage is a 503 with Retry-After', async (t) => {
  const { app } = buildServer(t);
  const response = await app.inject('/outage');
  t.equal(response.statusCode, 503);
  t.match(response.headers, { 'retry-after': /^\d+$/, 'content-type': json });
  t.match(response.json(), { error: 'Service temporarily unavailable', code: 'SERVICE_UNAVAILABLE' });
  t.notMatch(response.body, /disk/);
});

t.test('a value in use is a 409 that names it', async (t) => {
  const { app, lines } = buildServer(t);
  const response = await app.inject('/conflict');
  t.equal(response.statusCode, 409);
  t.match(response.json(), {
    error: 'Resource already exists',
    code: 'CONFLICT',
    details: { resource: 'thing', field: 'name', value: 'x' },
  });
  t.notOk(lines.some(({ level }) => level >= 50));
  t.match(lines.at(-1), { level: 30, msg: 'request', status: 409, code: 'CONFLICT' });
});

t.test('every request is logged in one line, without its query', async (t) => {
  const { app, lines } = buildServer(t);
  await app.inject({ url: '/things?search=secret', headers: { 'x-request-id': 'request-0001' } });
  const logged = lines.filter(({ msg }) => msg === 'request');
  t.equal(logged.length, 1);
  t.match(logged[0], {
    level: 30,
    requestId: 'request-0001',
    method: 'GET',
    route: '/things',
    status: 200,
    durationMs: Number,
  });
  t.notMatch(JSON.stringify(lines), /secret/);
});

t.test('a valid request id is kept, an invalid one is replaced', async (t) => {
  const { app } = buildServer(t);
  const id = async (given?: string) => {
    const response = await app.inject({
      url: '/nowhere',
      headers: given === undefined ? {} : { 'x-request-id': given },
    });
    t.equal(response.json().requestId, response.headers['x-request-id']);
    return response.headers['x-request-id'];
  };
  t.equal(await id('abc_DEF-123'), 'abc_DEF-123');
  t.equal(await id('a'.repeat(64)), 'a'.repeat(64));
  for (const odd of [undefined, '', 'short', 'a'.repeat(65), 'has space', 'a;b;c;d;e', 'ümlaut-umlaut'])
    t.match(await id(odd), /^[\w-]{36}$/, String(odd));
  t.not(await id(), await id());
  const success = await app.inject({ url: '/things', headers: { 'x-request-id': 'abcdefgh' } });
  t.equal(success.headers['x-request-id'], 'abcdefgh');
});

t.test('HEAD responds like GET, without the body', async (t) => {
  const { app } = buildServer(t);
  const [head, get] = [await app.inject({ method: 'HEAD', url: '/things' }), await app.inject('/things')];
  t.equal(head.statusCode, 200);
  t.equal(head.body, '');
  for (const header of ['content-type', 'content-length', 'link', 'etag'])
    t.equal(head.headers[header], get.headers[header], header);
});

t.test('a response contains only the fields of its schema', async (t) => {
  const { app } = buildServer(t);
  const id = createId();
  const response = await app.inject(`/things/${id}`);
  t.equal(response.headers['content-type'], json);
  t.same(response.json(), {
    success: true,
    data: {
      id,
      at: '2026-01-31T12:00:00.000Z',
      picture: { url: 'https://example.org', at: '2026-01-31T12:00:00.000Z' },
    },
  });
});

t.test('instanceof distinguishes errors with the same code', async (t) => {
  t.ok(new Unauthorized() instanceof Unauthorized);
  t.notOk(new InvalidToken() instanceof Unauthorized);
  const GradeNotFound = defineProblem('NOT_FOUND', 404, 'Grade not found');
  const TopicNotFound = defineProblem('NOT_FOUND', 404, 'Topic not found');
  t.notOk(new GradeNotFound() instanceof TopicNotFound);
  t.ok(conflict({ resource: 'r', field: 'f', value: 1 }) instanceof Conflict);
  t.notOk(Object(null) instanceof TopicNotFound);
  t.equal(defineProblem('CONFLICT', 409, '100 % taken').name, 'Entry');
});

t.test('badRequest has the text of a validation error and names one field', async (t) => {
  const problem = badRequest({ field: 'path', message: 'is ambiguous', value: '/..' });
  t.match(problem, { statusCode: 400, code: 'VALIDATION_ERROR', message: 'Validation failed' });
  t.same(problem.details, { field: 'path', message: 'is ambiguous', value: '/..' });
});

t.test('invalid looks like an error of the validator', async (t) => {
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

t.test('schemas that cannot be compiled are found before their first request', async (t) => {
  const broken = Type.Object({ name: Type.String({ pattern: '(' }) });
  const { app } = buildServer(t);
  await app.ready();
  app.compileSchemas();
  for (const [schema, part] of [
    [{ response: { 200: Type.Object({ thing: Type.Union([broken, Type.Null()]) }) } }, 'response 200'],
    [{ body: broken }, 'body'],
    [{ querystring: broken }, 'querystring'],
    [{ headers: broken }, 'headers'],
    // It would not be validated.
    [{ body: Type.Object({ name: Type.String({ format: 'misspelled' }) }) }, 'body'],
  ] as const) {
    const { app: faulty } = buildServer(t);
    faulty.post('/faulty', { schema }, async () => ({}));
    await faulty.ready();
    t.throws(() => faulty.compileSchemas(), {
      message: new RegExp(`^POST /faulty: the schema of ${part} cannot be compiled: `),
    });
  }
});
