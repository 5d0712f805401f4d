import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import t from 'tap';
import { passedFiles } from '../src/test-run/select-tests.ts';

const folders = { 'infra/docker': ['services/media/test'], 'infra/recovery': [] };

t.test('a slow folder that has passed is skipped until a file that it reads changes', (t) => {
  const root = t.testdir();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const markers = () => [...passedFiles(root, folders)];
  const unchanged = () => markers().flatMap(([folder, file]) => (existsSync(file) ? [folder] : []));
  const pass = (...names: string[]) => {
    for (const [folder, file] of markers()) if (names.includes(folder)) write(relative(root, file), '');
  };
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  write('.gitignore', 'dist/\nnode_modules/\n');
  write('infra/docker/test/compose.test.ts', '1');
  write('services/content/src/hierarchy/routes.ts', '1');
  write('compose.yml', '1');
  execFileSync('git', ['add', '.'], { cwd: root });

  t.same(unchanged(), [], 'it has never passed');
  pass('infra/docker', 'infra/recovery');
  t.same(unchanged(), ['infra/docker', 'infra/recovery']);
  write('services/content/test/lists.test.ts', 'not read');
  write('services/content/dist/app.js', 'ignored');
  t.same(unchanged(), ['infra/docker', 'infra/recovery']);

  write('services/content/src/hierarchy/routes.ts', '2');
  t.same(unchanged(), [], 'a source');
  pass('infra/docker', 'infra/recovery');
  write('services/media/test/uploads.test.ts', '1');
  t.same(unchanged(), ['infra/recovery'], 'a test that it reads');
  pass('infra/docker', 'infra/recovery');
  write('infra/docker/test/env.test.ts', '1');
  t.same(unchanged(), ['infra/recovery'], 'a new file in the folder');
  pass('infra/docker', 'infra/recovery');
  rmSync(join(root, 'compose.yml'));
  t.same(unchanged(), [], 'a removed file');
  pass('infra/docker');
  t.same(unchanged(), ['infra/docker'], 'folders are independent');
  t.end();
});

t.test('nothing is skipped outside a git repository', (t) => {
  t.equal(passedFiles('/', folders).size, 0);
  t.end();
});
