import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const { ACCEPTANCE_GATEWAY_URL, ACCEPTANCE_IDP_URL } = process.env;
const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));
const root = join(workspace, '../..');

/** The folder of an installed package, as another one finds it. */
function locate(name: string, from: string): string {
  const file = createRequire(`${from}/`).resolve(name);
  const end = file.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}`.length;
  return file.slice(0, end);
}

/** The folders of all packages that the command line needs and that are not in this repository. */
function dependencies(): string[] {
  const client = join(root, 'packages/client');
  const fetchClient = locate('openapi-fetch', client);
  const progress = locate('cli-progress', workspace);
  const width = locate('string-width', progress);
  const strip = locate('strip-ansi', width);
  return [
    ...[fetchClient, locate('openapi-typescript-helpers', fetchClient)],
    ...[locate('commander', workspace), locate('@commander-js/extra-typings', workspace)],
    ...[progress, width, strip, locate('ansi-regex', strip)],
    ...['emoji-regex', 'is-fullwidth-code-point'].map((name) => locate(name, width)),
  ];
}

t.test('the packed command line works in a folder outside the workspace', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'lms-cli-'));
  t.teardown(() => rm(place, { recursive: true, force: true }));
  const [tarballs, copies, app] = ['tarballs', 'copies', 'app'].map((name) => join(place, name));
  for (const folder of [tarballs, copies, app]) await mkdir(folder ?? '');
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const cwd of [workspace, join(root, 'packages/client')])
    await run('npx', ['--yes', packageManager, 'pack', '--pack-destination', String(tarballs)], { cwd });
  // Copies, because npm leaves out files that are hard links of each other, as pnpm installs them.
  const folders = dependencies().map((folder, index) => [folder, join(String(copies), String(index))] as const);
  for (const [folder, copy] of folders) await cp(folder, copy, { recursive: true });
  await run('npm', ['pack', '--ignore-scripts', ...folders.map(([, copy]) => copy)], { cwd: String(tarballs) });
  const packed = (await readdir(String(tarballs))).map((name) => join(String(tarballs), name));
  await writeFile(join(String(app), 'package.json'), '{"private": true}');
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, ...packed], { cwd: String(app) });

  const installed = join(String(app), 'node_modules/@lms/cli');
  t.notMatch(await readFile(join(installed, 'package.json'), 'utf8'), /catalog:|workspace:|lms-source/);
  const names = await readdir(installed);
  t.same(names.sort(), ['LICENSE', 'README.md', 'dist-package', 'package.json']);

  const form = { grant_type: 'password', client_id: 'lms-local', username: 'admin@lms.test', password: 'password' };
  const response = await fetch(`${ACCEPTANCE_IDP_URL}/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = Object(await response.json());
  const env = { ...process.env, LMS_URL: ACCEPTANCE_GATEWAY_URL, LMS_TOKEN: String(access_token) };
  const lms = join(String(app), 'node_modules/.bin/lms');
  const exported = await run(lms, ['export', '--format', 'json', '-o', 'school.json'], { cwd: String(app), env });
  t.match(exported.stdout, 'Saved school.json');
  const school = await readFile(join(String(app), 'school.json'), 'utf8');
  t.ok(JSON.parse(school).levels.length >= 2, 'the sample content');
  const imported = await run(lms, ['import', 'school.json', '--dry-run'], { cwd: String(app), env });
  t.match(imported.stdout, /^Dry run: 0 created, /);
});
