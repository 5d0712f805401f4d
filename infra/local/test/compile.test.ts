import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { compile } from '../src/compile.ts';

const base = JSON.stringify({
  compilerOptions: { target: 'es2023', verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true },
});

async function place(root: string, files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

t.test('sources become what node runs, and only those that changed are compiled again', async (t) => {
  const root = t.testdir();
  await place(root, {
    'tsconfig.base.json': base,
    'package.json': '{ "type": "module" }',
    'gateway/src/main.ts':
      "import { greet, type Greeting } from './greet/greet.ts';\nexport const said: Greeting = greet('you');\n",
    'gateway/src/greet/greet.ts':
      "export type Greeting = string;\nexport const greet = (whom: string): Greeting => ['hello', whom].join(' ');\n",
    'services/one/src/main.ts': 'export const one: number = 1;\n',
    'packages/none/package.json': '{}',
    'infra/readme/README.md': '',
  });
  t.equal(compile(root), 3);
  t.match(await import(join(root, 'gateway/dist/main.js')), { said: 'hello you' });
  t.same((await readdir(join(root, 'services/one/dist'))).sort(), ['main.js'], 'no drafts are left');

  t.equal(compile(root), 0);
  await writeFile(join(root, 'services/one/src/main.ts'), 'export const one: number = 2;\n');
  const later = new Date(Date.now() + 5_000);
  await utimes(join(root, 'services/one/src/main.ts'), later, later);
  t.equal(compile(root), 1);
  t.match(await readFile(join(root, 'services/one/dist/main.js'), 'utf8'), 'one = 2');
});
