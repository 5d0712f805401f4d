import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { findUnchanged, hashSlowFolders, rememberPassed } from '../src/test-run/slow-folders.ts';

const folders = { 'infra/docker': ['services/*/src/*', 'compose.yml'], 'infra/recovery': ['infra/local/*'] };

t.test('a slow folder that has passed is skipped until something that it reads changes', (t) => {
  const root = t.testdir();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const unchanged = () => findUnchanged(root, hashSlowFolders(root, folders));
  const pass = () => rememberPassed(root, hashSlowFolders(root, folders));
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  write('.gitignore', 'dist/\nnode_modules/\n');
  write('infra/docker/test/compose.test.ts', '1');
  write('services/content/src/hierarchy/routes.ts', '1');
  write('compose.yml', '1');
  execFileSync('git', ['add', '.'], { cwd: root });

  t.same(unchanged(), [], 'it has never passed');
  pass();
  t.same(unchanged(), ['infra/docker', 'infra/recovery']);
  write('services/content/test/lists.test.ts', 'not read');
  write('services/content/dist/app.js', 'ignored');
  t.same(unchanged(), ['infra/docker', 'infra/recovery']);

  write('services/content/src/hierarchy/routes.ts', '2');
  t.same(unchanged(), ['infra/recovery'], 'a file that it reads');
  pass();
  write('infra/docker/test/env.test.ts', '1');
  t.same(unchanged(), ['infra/recovery'], 'a new file, of its own');
  pass();
  rmSync(join(root, 'compose.yml'));
  t.same(unchanged(), ['infra/recovery'], 'a file less');
  rememberPassed(root, { 'infra/docker': hashSlowFolders(root, folders)['infra/docker'] ?? '' });
  t.same(unchanged(), ['infra/docker', 'infra/recovery'], 'each by itself');
  t.end();
});

t.test('where git knows nothing, nothing is skipped', (t) => {
  t.same(hashSlowFolders('/', folders), {});
  t.end();
});
