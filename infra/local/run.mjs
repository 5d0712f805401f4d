// Entry point of `npm start`, `npm test` and `npm run demo|lms|backup|restore|faults`. It imports only Node.js
// modules, because it installs the dependencies. Then it compiles changed files and runs src/<command>.ts, to which
// standard output belongs: what happens before goes to standard error.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, compiledPath } from './compile.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const installedFile = join(root, 'node_modules', '.installed');
const [command, ...args] = process.argv.slice(2);
const workspaces = { backup: 'infra/recovery', restore: 'infra/recovery', faults: 'infra/faults' };
const workspace = workspaces[command] ?? 'infra/local';
const entry = join(root, workspace, 'src', `${command}.ts`);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

checkNode();
if (!command || !existsSync(entry))
  fail(`Usage: node infra/local/run.mjs start|test|demo|lms|operator|backup|restore|faults [arguments]`);
await installDependencies();
const compiled = await compile(root).catch((error) => fail(error.message));
if (compiled > 0) console.error(`${compiled} source files compiled`);
process.exit(await run(process.execPath, [compiledPath(root, entry), ...args], 'ipc'));

function checkNode() {
  const [needed, given] = [manifest.engines.node.replace('>=', ''), process.versions.node];
  if (given.localeCompare(needed, 'en', { numeric: true }) < 0)
    fail(`Node.js ${needed} or later is required; this is ${given}.`);
}

/** If several commands are started at once, one installs the dependencies and the others wait. */
async function installDependencies() {
  if (isInstalled()) return;
  const lock = join(tmpdir(), `lms-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`);
  let waiting = false;
  while (!takeLock(lock)) {
    if (!waiting) console.error('Waiting for another process to install the dependencies');
    waiting = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  let code = 0;
  try {
    if (isInstalled()) return;
    console.error(`Installing the dependencies with ${manifest.packageManager}`);
    const install = ['--yes', manifest.packageManager, 'install', '--frozen-lockfile', '--prod=false'];
    code = await run('npx', install, 'ignore');
    if (code === 0) writeFileSync(installedFile, fingerprint());
  } finally {
    rmSync(lock, { force: true });
  }
  if (code !== 0) fail(`Installing the dependencies failed (exit code ${code}).`, code);
}

function isInstalled() {
  return existsSync(installedFile) && readFileSync(installedFile, 'utf8') === fingerprint();
}

/** A hash of everything that determines the contents of node_modules: the lockfile contains the hashes of patches, too. */
function fingerprint() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => readFileSync(join(root, file)));
  return createHash('sha256').update(`${process.platform} ${process.arch}`).update(Buffer.concat(files)).digest('hex');
}

function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch (error) {
    // Unless its holder belongs to another user, it is not running, or has just released it.
    if (error.code !== 'EPERM') rmSync(lock, { force: true });
  }
  return false;
}

/** Runs a child process with forwarded signals and returns its exit code. The child is stopped if this process is orphaned. */
function run(file, childArgs, channel) {
  const stdio = channel === 'ipc' ? ['inherit', 'inherit', 'inherit', 'ipc'] : ['ignore', process.stderr, 'inherit'];
  const env = channel === 'ipc' ? process.env : { ...process.env, CI: 'true' };
  const child = spawn(file, childArgs, { cwd: root, stdio, env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // If npm is killed it cannot forward a signal, and this process gets another parent.
  const parent = process.ppid;
  const orphaned = setInterval(
    () => process.env.npm_lifecycle_event && process.ppid !== parent && child.kill('SIGTERM'),
    500,
  );
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`${file}: ${error.message}`));
    child.once('exit', (code, signal) => {
      clearInterval(orphaned);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
