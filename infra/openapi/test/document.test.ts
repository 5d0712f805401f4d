import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { documentFile } from '../src/document-file.ts';
import { generate } from '../src/generate.ts';

const run = promisify(execFile);
const committed = () => readFile(documentFile, 'utf8');

t.test('the committed document matches the services', async (t) => {
  t.equal(await committed(), await generate(), 'if not: pnpm --filter openapi generate');
});

t.test('every operation has a unique name, a tag, a summary, security and a successful response', async (t) => {
  const document = JSON.parse(await committed());
  const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  t.equal(new Set(names).size, operations.length, `${names}`);
  for (const { operationId, tags, summary, security, responses } of operations) {
    t.ok(tags?.length === 1 && summary && Array.isArray(security), `${operationId} has a tag, a summary and security`);
    t.ok(
      Object.keys(responses).some((status) => /^2/.test(status)),
      `${operationId} has a successful response`,
    );
  }
});

t.test('every operation documents the common headers and errors', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const [method, { operationId, parameters, responses }] of Object.values<object>(paths).flatMap((path) =>
    Object.entries(path),
  )) {
    const parameterText = JSON.stringify(parameters);
    const success = responses[200] ?? responses[201];
    t.ok(
      responses[400] && responses[414] && responses[429] && responses[503] && responses[504],
      `${operationId} has the errors of the gateway`,
    );
    t.ok(
      success.headers['X-Request-Id'] && success.headers['X-RateLimit-Remaining'],
      `${operationId} has the rate limit headers`,
    );
    if (method === 'get')
      t.ok(responses[304] && success.headers.ETag && parameterText.includes('IfNoneMatch'), operationId);
    else
      t.ok(responses[408] && responses[413] && responses[415], `${operationId} has the errors of requests with a body`);
    if (parameterText.includes('"page"')) t.ok(success.headers.Link, `${operationId} has a Link header`);
    if (parameterText.includes('IdempotencyKey'))
      t.ok(
        responses[409] && responses[422] && success.headers['Idempotency-Replayed'],
        `${operationId} documents idempotency`,
      );
    if (responses[206]) t.ok(parameterText.includes('Range') && responses[206].headers['Content-Range'], operationId);
  }
});

t.test('every path parameter names the resource of its 404', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const { operationId, parameters } of Object.values<object>(paths).flatMap((path) => Object.values(path)))
    for (const { name, in: location, ...rest } of parameters)
      if (location === 'path') t.match(JSON.stringify(rest), /"x-resource":"[A-Z][a-z ]+"/, `${operationId} ${name}`);
});

t.test('every body field with restrictions has an example', async (t) => {
  const { paths } = JSON.parse(await committed());
  const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
  for (const { operationId, requestBody } of operations) {
    const { properties = {} } = requestBody?.content['application/json']?.schema ?? {};
    for (const [name, { format, pattern, maximum, examples }] of Object.entries<Record<string, unknown>>(properties))
      t.ok(examples ?? (!format && !pattern && !maximum), `${operationId} has an example of ${name}`);
  }
});

t.test('nothing that may be left out is filled in by the reference, but for defaults', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const { operationId, parameters } of Object.values<object>(paths).flatMap((path) => Object.values(path)))
    for (const { name, required, example, schema } of parameters)
      t.ok(required || (example === undefined && schema?.example === undefined), `${operationId} ${name}`);
});

t.test('Redocly finds no error', async (t) => {
  const redocly = join(import.meta.dirname, '../node_modules/.bin/redocly');
  const { stdout, stderr } = await run(
    redocly,
    ['lint', documentFile, '--config', join(import.meta.dirname, '../redocly.yaml')],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  t.match(stdout + stderr, /is valid/);
});
