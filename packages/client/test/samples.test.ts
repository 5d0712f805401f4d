import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

interface Operation {
  operationId: string;
  'x-codeSamples'?: { label: string; source: string }[];
}

t.test('the samples for this client in the OpenAPI document compile', async (t) => {
  const { paths } = JSON.parse(await readFile(join(root, 'gateway/openapi.json'), 'utf8'));
  const operations = Object.values<Record<string, Operation>>(paths).flatMap((methods) => Object.values(methods));
  const samples = operations.flatMap(({ operationId, 'x-codeSamples': all = [] }) =>
    all
      .filter(({ label }) => label === '@lms/client')
      .map(({ source }) => `export async function ${operationId}() {\n${source}\n}`),
  );
  t.ok(samples.length > 100);
  const source = join(root, 'packages/client/src');
  const code = [
    `import { createClient } from '${source}/index.ts';`,
    `import { createResumableUploads } from '${source}/resumable.ts';`,
    'declare const [api, token, file]: [string, string, File];',
    'const client = createClient({ baseUrl: api, token: () => token });',
    ...samples,
  ];
  const directory = t.testdir({ 'samples.ts': code.join('\n') });
  const options = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    '--ignoreConfig',
    // Several take more processor time together.
    ...['--checkers', '1'],
    '--allowImportingTsExtensions',
    '--types',
    'node',
  ];
  const target = ['--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable'];
  const checker = join(root, 'node_modules/.bin/tsgo');
  const result = await run(checker, [...options, ...target, join(directory, 'samples.ts')]).catch((error) => error);
  t.equal(result.stdout, '');
});
