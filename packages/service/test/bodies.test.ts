import t from 'tap';
import { buildServer } from './build-server.ts';
import { createId } from './create-id.ts';

const json = 'application/json; charset=utf-8';

t.test('a malformed JSON body is a 400', async (t) => {
  const { app } = buildServer(t);
  const messages: [RegExp, RegExp][] = [
    [/^depth/, /deeper than 32/],
    [/prototype/, /^must not have keys named __proto__/],
    [/UTF-8/, /^must be JSON in UTF-8$/],
    [/comma$/, /^must be JSON: .+/],
  ];
  const nested = (depth: number) => `{"name":"x","open":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const bodies: Record<string, string | Buffer> = {
    truncated: '{"name":',
    'form data': 'name=x',
    'a trailing comma': '{"name":"x",}',
    'a prototype': '{"name":"x","__proto__":{"admin":true}}',
    'an escaped prototype': '{"name":"x","\\u005f_proto__":{"admin":true}}',
    "a constructor's prototype": '{"name":"x","constructor":{"prototype":{"admin":true}}}',
    'a nested prototype': '{"name":"x","open":[{"__proto__":1}]}',
    'bad UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    'half a UTF-8 sequence': Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3]), Buffer.from('"}')]),
    'depth 33': nested(33),
    'depth 100,000': nested(100_000),
    'a lone comma': ',',
    blank: '  ',
  };
  for (const [name, payload] of Object.entries(bodies)) {
    const response = await app.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    t.equal(response.statusCode, 400, name);
    t.equal(response.headers['content-type'], json);
    const { requestId: _requestId, ...failure } = response.json();
    const { message, ...details } = failure.details;
    t.same(
      { ...failure, details },
      { success: false, error: 'Validation failed', code: 'VALIDATION_ERROR', details: { field: 'body', value: null } },
      name,
    );
    const [, expected] = messages.find(([names]) => names.test(name)) ?? [];
    t.match(message, expected ?? /^must be JSON: /, name);
  }
  const deep = await app.inject({
    method: 'POST',
    url: '/things',
    headers: { 'content-type': json },
    payload: nested(32),
  });
  t.equal(deep.statusCode, 201, 'depth 32 is accepted');
  const quoted = await app.inject({
    method: 'POST',
    url: '/things',
    headers: { 'content-type': 'application/json; note="a, b"' },
    payload: { name: 'x' },
  });
  t.equal(quoted.statusCode, 201, 'a comma in a quoted parameter is accepted');
  const constructorField = await app.inject({
    method: 'POST',
    url: '/things',
    payload: { name: 'x', constructor: 'Smith' },
  });
  t.equal(constructorField.statusCode, 201, 'a field named constructor is accepted');
});

t.test('a body that is not JSON is a 415', async (t) => {
  const { app } = buildServer(t);
  const payload = '{"name":"x"}';
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'nonsense' },
    { 'content-type': '' },
    { 'content-type': 'application/json, application/json' },
    { 'content-type': 'application/json; charset=utf-8, text/html' },
    { 'content-type': 'application/json; charset=utf-8, application/json; charset=utf-8' },
    { 'content-type': 'application/json; note="\\", text/html' },
    { 'content-type': 'application/json; note="a' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-type': 'application/json', 'content-encoding': 'identity' },
    {},
  ]) {
    const response = await app.inject({ method: 'POST', url: '/things', headers, payload });
    t.equal(response.statusCode, 415, JSON.stringify(headers));
    t.match(response.json(), { success: false, code: 'UNSUPPORTED_MEDIA_TYPE', requestId: String });
    t.equal(response.headers['content-type'], json);
  }
});

t.test('a GET ignores content headers', async (t) => {
  const { app } = buildServer(t);
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': 'nonsense', 'content-length': '0' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-encoding': 'identity', 'content-language': 'en', 'transfer-encoding': 'chunked' },
  ])
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await app.inject({ method, url: '/things', headers });
      t.equal(response.statusCode, 200, `${method} ${JSON.stringify(headers)}`);
    }
});

t.test('a body over the limit is a 413', async (t) => {
  const { app } = buildServer(t);
  const response = await app.inject({ method: 'POST', url: '/things', payload: { name: 'x'.repeat(1024 * 1024) } });
  t.equal(response.statusCode, 413);
  t.match(response.json(), { success: false, code: 'PAYLOAD_TOO_LARGE', requestId: String });
});

t.test('a missing body counts as an empty object', async (t) => {
  const { app } = buildServer(t);
  const url = `/things/${createId()}/publish`;
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const response = await app.inject({ method: 'POST', url, headers });
    t.equal(response.statusCode, 200);
    t.same(response.json().data, {});
  }
  const missing = await app.inject({ method: 'POST', url: '/things' });
  t.equal(missing.statusCode, 422);
  t.match(missing.json().details, { field: 'name', message: 'is required', value: null });
});

t.test('an invalid body is a 422 that names every invalid field', async (t) => {
  const { app } = buildServer(t);
  const payload = {
    name: 'n'.repeat(300),
    count: '7',
    kind: 'c',
    imageUrl: 'javascript:alert(1)',
    until: '2026-02-30',
  };
  const response = await app.inject({ method: 'POST', url: '/things', payload });
  t.equal(response.statusCode, 422);
  const { code, error, details } = response.json();
  t.same({ code, error }, { code: 'VALIDATION_ERROR', error: 'Validation failed' });
  const fields = details.issues.map((issue: { field: string }) => issue.field).sort();
  t.same(fields, ['count', 'imageUrl', 'kind', 'name', 'until']);
  const { issues, ...first } = details;
  t.same(first, issues[0]);
  for (const issue of issues) {
    t.match(issue, { field: String, message: String });
    t.ok('value' in issue);
  }
  t.equal(
    issues.find((issue: { field: string }) => issue.field === 'name').value,
    'n'.repeat(200),
    'values are truncated',
  );
  t.match(
    issues.find((issue: { field: string }) => issue.field === 'kind'),
    { message: 'must be one of a, b', value: 'c' },
  );
});

t.test('bodies are not coerced', async (t) => {
  const { app } = buildServer(t);
  for (const payload of [
    { name: 7 },
    { name: true },
    { name: null },
    { name: ['x'] },
    { name: 'x', count: '1' },
    { name: 'x', count: true },
    { name: 'x', count: 1.5 },
    { name: 'x', count: null },
    { name: 'x', ids: 'x' },
    { name: 'x', nested: 'x' },
    { name: 'x', nested: [] },
    { name: 'x', description: 5 },
    [],
    'text',
  ]) {
    const response = await app.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
    t.equal(response.statusCode, 422, JSON.stringify(payload));
  }
});

t.test('a JSON body that is not an object is a 422, also on routes without a body', async (t) => {
  const { app } = buildServer(t);
  const headers = { 'content-type': 'application/json' };
  const requests = [
    { method: 'POST', url: '/things' },
    { method: 'PUT', url: `/things/${createId()}` },
    { method: 'POST', url: `/things/${createId()}/publish` },
  ] as const;
  for (const request of requests)
    for (const value of [null, 7, true, '', 'text', [], [{ name: 'x' }]]) {
      const response = await app.inject({ ...request, headers, payload: JSON.stringify(value) });
      t.equal(response.statusCode, 422, `${request.url} ${JSON.stringify(value)}`);
      const issue = { field: 'body', message: 'must be object', value };
      t.same(response.json().details, { ...issue, issues: [issue] });
    }
});

t.test('numbers out of range are a 422', async (t) => {
  const { app } = buildServer(t);
  for (const count of ['1e400', '-1e400', '-1']) {
    const response = await app.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': 'application/json' },
      payload: `{"name":"x","count":${count}}`,
    });
    t.equal(response.statusCode, 422, count);
    t.equal(response.json().details.field, 'count');
  }
});

t.test('strings that cannot be stored are a 422, at any depth and in keys', async (t) => {
  const { app } = buildServer(t);
  for (const payload of [
    '{"name":"a\\u0000b"}',
    '{"name":"a\\ud800b"}',
    '{"name":"a\\udc00"}',
    '{"name":"x","nested":{"inner":"\\u0000"}}',
    '{"name":"x","ids":["\\ud83d"]}',
    '{"name":"x","labels":{"\\u0000":{"text":"y"}}}',
    `{"name":"a${'\\u0301'.repeat(101)}"}`,
    `{"name":"x","labels":{"a${'\\u0301'.repeat(101)}":{"text":"y"}}}`,
  ]) {
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/things', headers, payload });
    t.equal(response.statusCode, 422, payload);
    t.match(response.json(), { code: 'VALIDATION_ERROR', details: { field: String, message: String } });
    t.ok(response.body.isWellFormed() && !response.body.includes('\\u0000') && !/\\ud[89a-f]/i.test(response.body));
  }
});

t.test('long rows of combining marks are refused at once', async (t) => {
  const { app } = buildServer(t);
  for (const marks of ['\u0301'.repeat(120_000) + '\u0316'.repeat(120_000), '\u0301\u0316'.repeat(120_000)]) {
    const startedAt = performance.now();
    const response = await app.inject({ method: 'POST', url: '/things', payload: { name: `a${marks}` } });
    t.match(response.json().details, {
      field: 'name',
      message: 'must not contain more than 100 combining marks in a row',
    });
    // To normalize them takes most of a minute.
    t.ok(performance.now() - startedAt < 10_000);
  }
  const hundred = { name: `e${'\u0301'.repeat(100)}` };
  const accepted = await app.inject({ method: 'POST', url: '/things', payload: hundred });
  t.equal(accepted.json().data.name, hundred.name.normalize('NFC'));
});

t.test('strings are trimmed and normalized, and a blank required one is a 422', async (t) => {
  const { app } = buildServer(t);
  const normalized = await app.inject({
    method: 'POST',
    url: '/things',
    payload: { name: '  Ame\u0301lie\u00a0\n', description: ' \t ', nested: { inner: ' i ' } },
  });
  t.same(normalized.json().data, { name: 'Am\u00e9lie', description: '', nested: { inner: 'i' } });
  for (const name of ['', '   ', '\n\t\u00a0\u3000\ufeff']) {
    const response = await app.inject({ method: 'POST', url: '/things', payload: { name } });
    t.equal(response.statusCode, 422, JSON.stringify(name));
    t.match(response.json().details, { field: 'name', message: 'must not be blank', value: '' });
  }
  const long = await app.inject({ method: 'POST', url: '/things', payload: { name: ` ${'😀'.repeat(200)} ` } });
  t.equal(long.statusCode, 201, 'the length counts characters after trimming');
});

t.test('unknown fields are removed at every depth, but not from records', async (t) => {
  const { app } = buildServer(t);
  const payload = {
    name: 'x',
    id: 'forged',
    isAdmin: true,
    nested: { inner: 'i', more: 1 },
    labels: { anything: { text: 'y', more: 1 }, 'another one': { text: 'z' } },
    open: { free: { form: [1] } },
  };
  const response = await app.inject({ method: 'POST', url: '/things', payload });
  t.same(response.json().data, {
    name: 'x',
    nested: { inner: 'i' },
    labels: { anything: { text: 'y' }, 'another one': { text: 'z' } },
    open: { free: { form: [1] } },
  });
  const nulls = { name: 'x', description: null, imageUrl: null, until: null, nested: null };
  t.same((await app.inject({ method: 'POST', url: '/things', payload: nulls })).json().data, nulls);
});

t.test('an update without a known field is a 422', async (t) => {
  const { app } = buildServer(t);
  const url = `/things/${createId()}`;
  for (const payload of [{}, { unknown: 1 }]) {
    const response = await app.inject({ method: 'PUT', url, payload });
    t.equal(response.statusCode, 422, JSON.stringify(payload));
    t.match(response.json().details, { field: 'body', message: 'must contain at least one field to change' });
  }
  t.equal((await app.inject({ method: 'PUT', url, payload: { count: 0 } })).statusCode, 200);
});

t.test('a body with a hundred thousand errors gets a fast and short response', async (t) => {
  const { app } = buildServer(t);
  for (const ids of [
    Array(100_000).fill(1),
    Array(40_000).fill('\0'),
    Array(100_000).fill({}),
    Array(300_000).fill([]),
  ]) {
    const startedAt = performance.now();
    const response = await app.inject({ method: 'POST', url: '/things', payload: { name: 'x', ids } });
    const tookMs = performance.now() - startedAt;
    t.equal(response.statusCode, 422);
    t.ok(response.json().details.issues.length <= 100);
    t.ok(response.body.length < 40_000, `${response.body.length} bytes`);
    t.ok(tookMs < 15_000, `${Math.round(tookMs)} ms`);
  }
});
