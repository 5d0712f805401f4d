import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import core from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import t from 'tap';
import { root } from '../../src/read-documents.ts';

const run = promisify(execFile);
const workspace = join(import.meta.dirname, '../..');
const documentFile = join(root, 'gateway/openapi.json');
const document = JSON.parse(await readFile(documentFile, 'utf8'));

t.test('Redocly has no warning about the document', async (t) => {
  const lint = ['lint', documentFile, '--config', join(workspace, 'redocly.yaml')];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout, stderr } = await run(join(workspace, 'node_modules/.bin/redocly'), lint, { env });
  t.match(stdout + stderr, /is valid/);
});

/** Spectral would check a shared header or response again at each of 3,000 references. This keeps the first one. */
function withoutRepetitions(shared: object): Record<string, unknown> {
  const seen = new Set<unknown>();
  return JSON.parse(JSON.stringify(shared), (_, value) => {
    const reference = value?.$ref;
    if (!/^#\/components\/(headers|responses)\//.test(reference)) return value;
    if (seen.has(reference)) return undefined;
    seen.add(reference);
    return value;
  });
}

t.test("Spectral's OpenAPI rules have no warning about the document", async (t) => {
  const spectral = new core.Spectral();
  // The types of its two packages differ.
  spectral.setRuleset(Object({ extends: [[rulesets.oas, 'recommended']] }));
  const results = await spectral.run(withoutRepetitions(document));
  t.strictSame(
    results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`),
    [],
  );
});

t.test('a mock server responds with the examples of the document', async (t) => {
  const silent = () => {};
  const names = ['info', 'warn', 'error', 'debug', 'trace', 'fatal', 'success', 'start', 'note'];
  const logger = Object({ ...Object.fromEntries(names.map((name) => [name, silent])), child: () => logger });
  const server = createServer(await getHttpOperationsFromSpec(documentFile), {
    components: {
      logger: Object.assign(logger, { child: () => logger, success: silent, start: silent, note: silent }),
    },
    config: {
      mock: { dynamic: false },
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: false,
      upstreamProxy: undefined,
      isProxy: false,
    },
    cors: true,
  });
  const url = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  const exampleOf = (path: string, method: string, status: number) =>
    document.paths[path][method].responses[status].content['application/json'].example;

  const levels = await fetch(`${url}/api/education/levels`);
  t.strictSame(await levels.json(), exampleOf('/api/education/levels', 'get', 200));
  t.equal(levels.headers.get('x-ratelimit-limit'), '100');
  t.match(await (await fetch(`${url}/api/auth/profile`)).json(), { code: 'UNAUTHORIZED' });
  const request = (body: object) =>
    fetch(`${url}/api/enrollment/request`, {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  t.strictSame(await (await request({ subjectId: 'x' })).json(), exampleOf('/api/enrollment/request', 'post', 201));
  t.match(await (await request({})).json(), { code: 'VALIDATION_ERROR', details: { issues: [] } });
});
