import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const workspace = fileURLToPath(new URL('..', import.meta.url));

t.test('standard output has only what the command prints, also after an installation and a compilation', async (t) => {
  const root = t.testdir({
    'package.json': JSON.stringify({ type: 'module', packageManager: 'pnpm@1', engines: { node: '>=20.0' } }),
    'pnpm-lock.yaml': '',
    'pnpm-workspace.yaml': '',
    bin: { npx: '#!/bin/sh\necho installed\n' },
    node_modules: {},
    infra: {
      local: {
        node_modules: t.fixture('symlink', join(workspace, 'node_modules')),
        src: { 'lms.ts': "console.log('the file');\n" },
      },
    },
  });
  for (const file of ['run.mjs', 'compile.mjs']) cpSync(join(workspace, file), join(root, 'infra/local', file));
  chmodSync(join(root, 'bin/npx'), 0o755);
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'infra/local/run.mjs'), 'lms'], { env });
  t.equal(String(stdout), 'the file\n');
  t.match(String(stderr), /^Installing .*\ninstalled\n1 source files compiled\n$/);
});
