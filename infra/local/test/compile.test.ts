import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { compile } from '../compile.mjs';
import { toSources } from '../src/test-run/run-tasks.ts';

async function writeFiles(root: string, files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

const touch = (file: string) => utimes(file, new Date(Date.now() + 5_000), new Date(Date.now() + 5_000));

t.test('sources are compiled to JavaScript, and only changed files are compiled again', async (t) => {
  const root = t.testdir();
  await writeFiles(root, {
    'package.json': '{ "type": "module" }',
    'gateway/src/app.ts':
      "import { greet, type Greeting } from './greet/greet.ts';\nexport const greeting: Greeting = greet('you');\n",
    'gateway/src/greet/greet.ts':
      "export type Greeting = string;\nexport const greet = (name: string): Greeting => ['hello', name].join(' ');\n",
    'services/one/src/app.ts': 'export const one: number = 1;\n',
    'packages/none/package.json': '{}',
    'infra/readme/README.md': '',
  });
  t.equal(await compile(root), 3);
  t.match(await import(join(root, 'gateway/dist/app.js')), { greeting: 'hello you' });
  t.same((await readdir(join(root, 'services/one/dist'))).sort(), ['app.js'], 'no temporary files remain');

  t.equal(await compile(root), 0);
  await writeFile(join(root, 'services/one/src/app.ts'), 'export const one: number = 2;\n');
  await touch(join(root, 'services/one/src/app.ts'));
  t.equal(await compile(root), 1);
  t.match(await readFile(join(root, 'services/one/dist/app.js'), 'utf8'), /one += 2/);
});

t.test('programs are bundled, and again when anything that they import may have changed', async (t) => {
  const root = t.testdir();
  await writeFiles(root, {
    'package.json': '{ "type": "module" }',
    'node_modules/.modules.yaml': '',
    'node_modules/counter/package.json': '{ "name": "counter" }',
    'node_modules/counter/index.js': "exports.name = require('node:path').basename('a/one');\n",
    'packages/two/src/two.ts': 'export const two: number = 2;\n',
    'packages/two/test/two.test.ts': 'export {};\n',
    'services/one/src/main.ts': `
import { name } from 'counter';
import { two } from '../../../packages/two/src/two.ts';
export class NotCounted extends Error {}
export const state = { name, two, folder: new URL('../migrations', import.meta.url).pathname };
`,
    'gateway/src/main.ts': "export * from './app.ts';\n",
    'gateway/src/app.ts': 'export const text = "Café";\n',
  });
  t.equal(await compile(root), 5);
  const main = join(root, 'services/one/dist/main.js');
  const { state, NotCounted } = await import(main);
  t.same(state, { name: 'one', two: 2, folder: join(root, 'services/one/migrations') });
  t.equal(NotCounted.name, 'NotCounted');
  t.notMatch(await readFile(main, 'utf8'), "'counter'", 'it contains its dependencies');
  const text = await readFile(join(root, 'gateway/dist/main.js'), 'utf8');
  t.equal(Buffer.byteLength(text), text.length, 'it is ASCII');
  t.match(await import(join(root, 'gateway/dist/main.js')), { text: 'Café' });

  t.equal(await compile(root), 0);
  await touch(join(root, 'packages/two/test/two.test.ts'));
  t.equal(await compile(root), 1, 'a test is in no program');
  for (const changed of ['node_modules/.modules.yaml', 'packages/two/src/two.ts']) {
    await touch(join(root, changed));
    t.ok((await compile(root)) >= 2, changed);
  }
});

t.test(
  'compiled tests import compiled sources, also of other workspaces, and other files by the same paths',
  async (t) => {
    const root = t.testdir();
    await writeFiles(root, {
      'package.json': '{ "type": "module" }',
      'gateway/src/double.ts': 'export const double = (value: number): number => 2 * value;\n',
      'gateway/numbers.mjs': 'export const three = 3;\n',
      'gateway/test/two.ts': 'export const two: number = 2;\n',
      'services/one/test/nested/numbers.test.ts': `
import { double } from '../../../../gateway/src/double.ts';
export { two } from '../../../../gateway/test/two.ts';

const { three } = await import('../../../../gateway/numbers.mjs');
export const six: number = double(three);
export const folder: string = import.meta.dirname;

export const place: string | undefined = new Error().stack;
`,
    });
    await compile(root);
    const file = join(root, 'services/one/dist-test/nested/numbers.test.js');
    const numbers = await import(file);
    t.match(numbers, { two: 2, six: 6 });
    const source = join(root, 'services/one/test/nested/numbers.test.ts');
    t.equal(
      join(numbers.folder, '../../test/nested/numbers.test.ts'),
      source,
      'the compiled file has the same depth as its source',
    );
    t.match(numbers.place, `${source}:9:`, 'stack traces name the source');
    t.equal(toSources(`(${file}:9:1)`), `(${source}:9:1)`);
    t.equal(toSources(`fileName: ${file}\n lineNumber: 9`), `fileName: ${source}\n lineNumber: 9`);
    for (const other of ['node_modules/tap/dist/tap.js:1:1', 'services/one/dist/main.js:1:1', '"dist/app.js"'])
      t.equal(toSources(other), other);
  },
);

t.test('a compiled file is removed with its source', async (t) => {
  const root = t.testdir();
  await writeFiles(root, {
    'gateway/src/app.ts': 'export {};\n',
    'gateway/src/old.ts': 'export {};\n',
  });
  await compile(root);
  await rm(join(root, 'gateway/src/old.ts'));
  t.equal(await compile(root), 0);
  t.same(await readdir(join(root, 'gateway/dist')), ['app.js']);
});
