import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { generateInterface } from '../generate.mjs';
import { createClient } from '../src/create-client.ts';
import { eachItem, PageError } from '../src/each-item.ts';
import { uploadDocument } from '../src/upload.ts';

type Handle = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

async function serve(t: Test, handle: Handle) {
  let count = 0;
  const server = createServer((request, response) => handle(request, response, ++count)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, count: () => count };
}

const json = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

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

t.test('a 429 is retried after Retry-After with the same body', async (t) => {
  const bodies: string[] = [];
  const { baseUrl } = await serve(t, async (request, response, count) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    if (count === 1) return json(response, 429, { success: false }, { 'retry-after': '0' });
    return json(response, 201, { success: true, data: { name: 'A' } });
  });
  const client = createClient({ baseUrl });
  const { response, data } = await client.POST('/api/admin/education/levels', {
    body: { name: 'A', description: 'd' },
  });
  t.equal(response.status, 201);
  t.equal(data?.data.name, 'A');
  t.strictSame(bodies, ['{"name":"A","description":"d"}', '{"name":"A","description":"d"}']);
});

t.test('a 429 with a long Retry-After is returned', async (t) => {
  const { baseUrl, count } = await serve(t, (_request, response) =>
    json(
      response,
      429,
      { success: false, error: 'Too many', code: 'QUOTA_EXCEEDED', requestId: 'r' },
      { 'retry-after': '86400' },
    ),
  );
  const { error } = await createClient({ baseUrl }).GET('/api/users');
  t.equal(error?.code, 'QUOTA_EXCEEDED');
  t.equal(count(), 1);
});

t.test('a 503 is retried only if the request is idempotent', async (t) => {
  const { baseUrl, count } = await serve(t, (_request, response) =>
    json(response, 503, { success: false }, { 'retry-after': '0' }),
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

t.test('eachItem iterates over all pages', async (t) => {
  const { baseUrl, count } = await serve(t, (request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'));
    if (page > 3) return json(response, 500, { success: false, code: 'INTERNAL_ERROR' });
    return json(response, 200, { success: true, data: [{ name: `level ${page}` }], pagination: { hasNext: page < 3 } });
  });
  const client = createClient({ baseUrl });
  const names: string[] = [];
  for await (const level of eachItem((page) => client.GET('/api/education/levels', { params: { query: { page } } })))
    names.push(level.name);
  t.strictSame(names, ['level 1', 'level 2', 'level 3']);
  t.equal(count(), 3);
  const failing = eachItem(() => client.GET('/api/education/levels', { params: { query: { page: 4 } } }));
  await t.rejects(failing.next(), PageError);
});

t.test('an upload reports its progress and arrives complete', async (t) => {
  let received = Buffer.alloc(0);
  const { baseUrl } = await serve(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received = Buffer.concat(chunks);
    json(response, 201, { success: true, data: { id: 'x' } });
  });
  const file = new File([Buffer.alloc(300_000, 'a')], 'a.txt');
  const steps: number[] = [];
  const { status } = await uploadDocument(
    { topicId: 't', file, name: 'A' },
    { baseUrl, token: 'x', onProgress: (sent) => steps.push(sent) },
  );
  t.equal(status, 201);
  t.equal(steps.at(-1), 300_000);
  t.strictSame(
    [...steps].sort((a, b) => a - b),
    steps,
    'progress only increases',
  );
  t.ok(received.includes(Buffer.alloc(300_000, 'a')));
  t.ok(received.includes('{"name":"A"}'));
});
