import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { documentFile } from '../src/document-file.ts';
import { generate } from '../src/generate.ts';

const run = promisify(execFile);
const committed = () => readFile(documentFile, 'utf8');

t.test('the committed document is what the services tell', async (t) => {
  t.equal(await committed(), await generate(), 'if not: pnpm --filter openapi generate');
});

t.test('every operation has a name of its own, a tag and an answer', async (t) => {
  const document = JSON.parse(await committed());
  const operations = Object.values<object>(document.paths).flatMap((place) => Object.values(place));
  const names = operations.map(({ operationId }) => operationId);
  t.equal(new Set(names).size, operations.length, `${names}`);
  for (const { operationId, tags, summary, security, responses } of operations) {
    t.ok(
      tags?.length === 1 && summary && Array.isArray(security),
      `${operationId} has a tag, a summary and says who may call`,
    );
    t.ok(
      Object.keys(responses).some((status) => /^2/.test(status)),
      `${operationId} tells what success looks like`,
    );
  }
});

t.test('every operation tells the headers and refusals that are the same everywhere', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const [method, { operationId, parameters, responses }] of Object.values<object>(paths).flatMap((place) =>
    Object.entries(place),
  )) {
    const asked = JSON.stringify(parameters);
    const success = responses[200] ?? responses[201];
    t.ok(
      responses[400] && responses[414] && responses[429] && responses[503] && responses[504],
      `${operationId} may be refused`,
    );
    t.ok(success.headers['X-Request-Id'] && success.headers['X-RateLimit-Remaining'], `${operationId} is counted`);
    if (method === 'get') t.ok(responses[304] && success.headers.ETag && asked.includes('IfNoneMatch'), operationId);
    else t.ok(responses[408] && responses[413] && responses[415], `${operationId} may bring a body`);
    if (asked.includes('"page"')) t.ok(success.headers.Link, `${operationId} names its pages`);
    if (asked.includes('IdempotencyKey'))
      t.ok(responses[409] && responses[422] && success.headers['Idempotency-Replayed'], `${operationId} is repeatable`);
    if (responses[206]) t.ok(asked.includes('Range') && responses[206].headers['Content-Range'], operationId);
  }
});

t.test('every id in a path says what a 404 will say is missing', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const { operationId, parameters } of Object.values<object>(paths).flatMap((place) => Object.values(place)))
    for (const { name, in: place, ...rest } of parameters)
      if (place === 'path') t.match(JSON.stringify(rest), /"x-resource":"[A-Z][a-z ]+"/, `${operationId} ${name}`);
});

t.test('what the reference fills into bodies would be accepted', async (t) => {
  const { paths } = JSON.parse(await committed());
  const operations = Object.values<object>(paths).flatMap((place) => Object.values(place));
  for (const { operationId, requestBody } of operations) {
    const { properties = {} } = requestBody?.content['application/json']?.schema ?? {};
    for (const [name, { format, pattern, maximum, examples }] of Object.entries<Record<string, unknown>>(properties))
      t.ok(examples ?? (!format && !pattern && !maximum), `${operationId} shows what ${name} looks like`);
  }
});

t.test('nothing that may be left out is filled in by the reference, but for defaults', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const { operationId, parameters } of Object.values<object>(paths).flatMap((place) => Object.values(place)))
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
