import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { gatewayUrl, providerUrl } from './system.ts';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));
const root = join(workspace, '../..');
const require = createRequire(join(workspace, 'package.json'));

/** The tarball of the client, and folders of its dependencies, so that the installation needs no registry. */
async function pack(directory: string) {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const fetchClient = dirname(dirname(require.resolve('openapi-fetch')));
  const typeHelpers = dirname(createRequire(`${fetchClient}/x`).resolve('openapi-typescript-helpers/package.json'));
  // Copies, because npm leaves out files that are hard links of each other, as pnpm installs them.
  const copies = await Promise.all(
    [fetchClient, typeHelpers].map(async (folder, index) => {
      const copy = join(directory, '..', `dependency-${index}`);
      await cp(folder, copy, { recursive: true });
      return copy;
    }),
  );
  await run('npx', ['--yes', packageManager, 'pack', '--pack-destination', directory], { cwd: workspace });
  const [name = ''] = await readdir(directory);
  return { tarball: join(directory, name), dependencies: copies };
}

t.test('the packed client works in a folder outside the workspace', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'lms-client-'));
  t.teardown(() => rm(place, { recursive: true, force: true }));
  const [tarballs, app] = [join(place, 'tarballs'), join(place, 'app')];
  await Promise.all([tarballs, app].map((directory) => mkdir(directory)));
  const { tarball, dependencies } = await pack(tarballs);
  await writeFile(join(app, 'package.json'), '{"private": true, "type": "module"}');
  // `--install-links` packs and installs folders, as if they came from the registry.
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--install-links'];
  await run('npm', ['install', ...options, tarball, ...dependencies], { cwd: app });

  // The optional peer of `@lms/client/resumable`, of which only the types are needed.
  const tusClient = dirname(require.resolve('tus-js-client/package.json'));
  await cp(tusClient, join(app, 'node_modules/tus-js-client'), { recursive: true });
  // The web example plays videos with it.
  await symlink(join(workspace, 'node_modules/hls.js'), join(app, 'node_modules/hls.js'));

  const installed = join(app, 'node_modules/@lms/client');
  const manifest = await readFile(join(installed, 'package.json'), 'utf8');
  t.notMatch(manifest, /catalog:|workspace:|lms-source/);
  const files = (await readdir(installed, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const names = files.map(({ name }) => name).sort();
  t.ok(names.includes('LICENSE') && names.includes('README.md') && names.includes('index.d.ts'), `${names}`);
  for (const name of names) t.match(name, /\.(js|d\.ts|md)$|^LICENSE$|^package\.json$/);
  t.comment(`${names.join(' ')}: ${(await stat(tarball)).size} bytes packed`);

  // The examples are what an app would write: one for a bundler, one for Node.
  await cp(join(workspace, 'examples'), join(app, 'examples'), { recursive: true });
  const readme = await readFile(join(workspace, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  t.ok(blocks.length >= 6);
  await Promise.all(blocks.map((block, index) => writeFile(join(app, `examples/node/readme-${index}.mts`), block)));

  const check = async (example: string, compiler: string, ...options: string[]) => {
    const types = ['--typeRoots', join(root, 'node_modules/@types')];
    const checked = run(join(root, 'node_modules/.bin', compiler), [
      '--project',
      join(app, 'examples', example),
      ...types,
      ...options,
    ]);
    const { stdout } = await checked.catch((error) => error);
    t.equal(stdout, '', `${example} type-checks`);
  };
  const story = run(process.execPath, [join(app, 'examples/node/story.mjs'), gatewayUrl, providerUrl], {
    env: { ...process.env, VIDEO_FILE: join(root, 'infra/local/assets/number-line.mp4') },
  });
  // With TypeScript 7 and 5.
  const [{ stdout }] = await Promise.all([story, check('web', 'tsgo', '--checkers', '1'), check('node', 'tsc')]);
  for (const line of [
    /^level: /m,
    /^uploaded: \d+ bytes$/m,
    /^video: video\/mp4, sha256:/m,
    /^refused: Only learners who are enrolled/m,
    /^enrollment: APPROVED$/m,
    /^content: The Moon has no light/m,
    /^range: 206, 100 bytes, bytes 0-99\//m,
    /^progress: 50 %$/m,
    /^note: It rises/m,
  ])
    t.match(stdout, line);
});
