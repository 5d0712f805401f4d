import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import t from 'tap';
import { generateInterface } from '../generate.mjs';
import { ApiError, createClient, unwrap, type Wait } from '../src/index.ts';
import { createResumableUploads } from '../src/resumable.ts';
import { failure, json, serve } from './serve.ts';

t.test('the generated types match the OpenAPI document', async (t) => {
  const committed = await readFile(new URL('../src/interface.ts', import.meta.url), 'utf8');
  t.equal(committed, await generateInterface(), 'otherwise run: pnpm --filter @lms/client generate');
});

t.test('every request has the current token', async (t) => {
  const seen: unknown[] = [];
  const { baseUrl } = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    json(response, 200, { success: true, data: {} });
  });
  const tokens = ['one', 'two', undefined];
  const client = createClient({ baseUrl, token: () => tokens.shift() });
  for (let round = 0; round < 3; round += 1) await client.GET('/api/auth/profile');
  t.strictSame(seen, ['Bearer one', 'Bearer two', undefined]);
});

t.test('after a 401 the token is renewed once, by requests at the same time together', async (t) => {
  const { baseUrl, count } = await serve(t, (request, response) =>
    request.headers.authorization === 'Bearer new'
      ? json(response, 200, { success: true, data: { email: 'a@lms.test' } })
      : json(response, 401, failure('UNAUTHORIZED')),
  );
  let renewals = 0;
  const client = createClient({
    baseUrl,
    async token({ forceRefresh }) {
      if (forceRefresh) renewals += 1;
      return renewals > 0 ? 'new' : 'old';
    },
  });
  const read = () => unwrap(client.GET('/api/auth/profile'));
  const users = await Promise.all([read(), read(), read()]);
  t.strictSame(
    users.map(({ email }) => email),
    Array(3).fill('a@lms.test'),
  );
  t.equal(renewals, 1);
  t.equal(count(), 6);

  const stale = createClient({ baseUrl, token: () => 'old' });
  const { error } = await stale.GET('/api/auth/profile');
  t.equal(error?.code, 'UNAUTHORIZED', 'the same token again is not tried again');
  t.equal(count(), 7);
});

t.test('a 429 is retried after Retry-After with the same body, and the app is informed', async (t) => {
  const bodies: string[] = [];
  const { baseUrl } = await serve(t, async (request, response, count) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    if (count === 1) return json(response, 429, failure('RATE_LIMITED'), { 'retry-after': '0' });
    return json(response, 201, { success: true, data: { name: 'A' } });
  });
  const waits: Wait[] = [];
  const client = createClient({ baseUrl, onWait: (wait) => waits.push(wait) });
  const { response, data } = await client.POST('/api/admin/education/levels', {
    body: { name: 'A', description: 'd' },
  });
  t.equal(response.status, 201);
  t.equal(data?.data.name, 'A');
  t.strictSame(bodies, ['{"name":"A","description":"d"}', '{"name":"A","description":"d"}']);
  t.strictSame(waits, [{ seconds: 0, status: 429, attempt: 1 }]);
});

t.test('a response that asks for more than a few seconds is returned at once', async (t) => {
  const details = { scope: 'general', limit: 100, resetAt: '2026-01-31T12:01:00.000Z' };
  const { baseUrl, count } = await serve(t, (_request, response) =>
    json(response, 429, { ...failure('RATE_LIMITED'), details }, { 'retry-after': '6' }),
  );
  const { error } = await createClient({ baseUrl }).GET('/api/users');
  t.equal(
    error?.code === 'RATE_LIMITED' && error.details.resetAt,
    details.resetAt,
    'the code decides on the type of the details',
  );
  t.equal(count(), 1);
});

t.test('an aborted request does not wait any longer', async (t) => {
  const abort = new AbortController();
  const { baseUrl } = await serve(t, (_request, response) =>
    json(response, 429, failure('RATE_LIMITED'), { 'retry-after': '3600' }),
  );
  const client = createClient({ baseUrl, maxWaitSeconds: 3_600, onWait: () => abort.abort(new Error('left')) });
  await t.rejects(client.GET('/api/users', { signal: abort.signal }), { message: 'left' });
});

t.test('a 503 is retried only if the request is idempotent', async (t) => {
  const { baseUrl, count } = await serve(t, (_request, response) =>
    json(response, 503, failure('SERVICE_UNAVAILABLE'), { 'retry-after': '0' }),
  );
  const client = createClient({ baseUrl, retries: 2 });
  await client.POST('/api/enrollment/request', { body: { subjectId: 'x' } });
  t.equal(count(), 1, 'a POST is not retried');
  await client.GET('/api/education/levels');
  t.equal(count(), 4, 'a GET is retried twice');
  await client.POST('/api/enrollment/request', {
    body: { subjectId: 'x' },
    params: { header: { 'Idempotency-Key': 'k' } },
  });
  t.equal(count(), 7, 'a POST with a key is retried twice');
});

t.test('each iterates over all pages and throws the error of one', async (t) => {
  const { baseUrl, count } = await serve(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const page = Number(searchParams.get('page'));
    if (pathname.endsWith('/grades')) return json(response, 404, failure('NOT_FOUND'));
    t.equal(searchParams.get('limit'), '100');
    return json(response, 200, { success: true, data: [{ name: `level ${page}` }], pagination: { hasNext: page < 3 } });
  });
  const client = createClient({ baseUrl });
  const names: string[] = [];
  for await (const level of client.each('/api/education/levels')) names.push(level.name);
  t.strictSame(names, ['level 1', 'level 2', 'level 3']);
  t.equal(count(), 3);
  const path = { id: 'unknown' };
  await t.rejects(client.each('/api/education/levels/{id}/grades', { params: { path } }).next(), {
    name: 'ApiError',
    code: 'NOT_FOUND',
    status: 404,
  });
  // @ts-expect-error the path has a parameter
  client.each('/api/education/levels/{id}/grades');
  // @ts-expect-error not a list
  client.each('/api/auth/profile');
});

t.test('an error page of a proxy has the form of the other errors', async (t) => {
  const { baseUrl } = await serve(t, (_request, response) =>
    response.writeHead(502, { 'content-type': 'text/html', 'retry-after': '60' }).end('<h1>Bad gateway</h1>'),
  );
  const call = createClient({ baseUrl }).GET('/api/education/levels');
  const error: unknown = await unwrap(call).catch((reason) => reason);
  t.ok(error instanceof ApiError);
  t.match(error, { status: 502, code: 'SERVICE_UNAVAILABLE', message: /^Bad Gateway/, retryAfterSeconds: 60 });
  const { headers } = (await call).response;
  t.equal(headers.get('retry-after'), '60');
  t.equal(headers.get('content-type'), 'application/json');
});

t.test('an upload reports its progress, arrives complete, and is repeated after a 401', async (t) => {
  let received = Buffer.alloc(0);
  const { baseUrl, count } = await serve(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received = Buffer.concat(chunks);
    if (request.headers.authorization !== 'Bearer new') return json(response, 401, failure('UNAUTHORIZED'));
    return json(response, 201, { success: true, data: { id: 'x' } });
  });
  const file = new File([Buffer.alloc(300_000, 'a')], 'a.txt');
  const steps: number[] = [];
  const client = createClient({ baseUrl, token: ({ forceRefresh }) => (forceRefresh ? 'new' : 'old') });
  const { data } = await client.uploadDocument(
    { topicId: 't', file, name: 'A' },
    { onProgress: (sent) => steps.push(sent) },
  );
  t.equal(data?.data.id, 'x');
  t.equal(count(), 2);
  t.equal(steps.at(-1), 300_000);
  t.ok(received.includes(Buffer.alloc(300_000, 'a')));
  t.ok(received.includes('{"name":"A"}'));
});

t.test('the base URL may have a path', async (t) => {
  const paths: string[] = [];
  const { baseUrl } = await serve(t, (request, response) => {
    paths.push(String(request.url));
    json(response, 403, failure('FORBIDDEN'));
  });
  const file = new File(['x'], 'x.csv');
  for (const base of [`${baseUrl}/lms`, `${baseUrl}/lms/`]) {
    const client = createClient({ baseUrl: base });
    await client.GET('/api/auth/profile');
    await client.uploadDocument({ topicId: 't', file });
    await client.uploadVideo({ topicId: 't', file });
    await client.uploadCaptions({ topicId: 't', language: 'en', file });
    await client.importCurriculum({ file, dryRun: true });
    await client.importRoster({ file });
    await createResumableUploads({ baseUrl: base }).uploadVideo({ topicId: 't', file });
  }
  t.equal(paths.length, 14);
  for (const path of paths) t.match(path, /^\/lms\/api\//);
});

t.test('an upload has the errors of the other calls, and can be aborted', async (t) => {
  const abort = new AbortController();
  const { baseUrl } = await serve(t, async (request, response) => {
    if (request.method === 'PUT') return abort.abort(new Error('left'));
    request.resume();
    return json(response, 413, { ...failure('PAYLOAD_TOO_LARGE'), details: { maxBytes: 1 } });
  });
  const file = new File(['a'], 'a.mp4');
  const client = createClient({ baseUrl, token: () => 'x' });
  const { error } = await client.uploadDocument({ topicId: 't', file });
  t.equal(error?.code === 'PAYLOAD_TOO_LARGE' && error.details?.maxBytes, 1);
  await t.rejects(client.uploadVideo({ topicId: 't', file }, { signal: abort.signal }), { message: 'left' });
});

t.test('fields of uploads that are undefined are not sent', async (t) => {
  const received: string[] = [];
  const { baseUrl } = await serve(t, async (request, response) => {
    const metadata = String(request.headers['upload-metadata'] ?? '').split(/[, ]/);
    received.push(request.url ?? '', ...metadata.map((text) => Buffer.from(text, 'base64').toString()));
    for await (const chunk of request) received.push(String(chunk));
    json(response, 422, failure('VALIDATION_ERROR'));
  });
  const file = new File(['a'], 'a.vtt');
  const absent = Object({ label: undefined, kind: undefined, dryRun: undefined, name: undefined });
  const client = createClient({ baseUrl });
  await client.uploadCaptions({ topicId: 't', language: 'en', file, default: true, ...absent });
  await client.importCurriculum({ file, mode: 'upsert', ...absent });
  await createResumableUploads({ baseUrl }).uploadDocument({ topicId: 't', file, description: 'Text', ...absent });
  const all = received.join('\n');
  for (const given of ['name="default"', 'mode=upsert', '\nText']) t.ok(all.includes(given), given);
  t.notMatch(all, 'undefined');
});

t.test('the bundled and compressed client has at most 5 kB', async (t) => {
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const size = gzipSync(outputFiles[0]?.contents ?? '').length;
  t.ok(size > 0 && size <= 5_000, `${size} bytes`);
});
