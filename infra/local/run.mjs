// Entry point of `npm start`, `npm test` and `npm run demo|lms|operator|backup|restore|faults`. It installs the dependencies, so it
// imports only Node.js modules until then. Then it compiles changed files and runs src/<command>.ts, to which standard output
// belongs: what happens before goes to standard error.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const [command, ...args] = process.argv.slice(2);
const workspaces = { backup: 'infra/recovery', restore: 'infra/recovery', faults: 'infra/faults' };
const entry = `${workspaces[command] ?? 'infra/local'}/src/${command}.ts`;
const { engines, packageManager } = JSON.parse(readFileSync('package.json', 'utf8'));

const neededNode = engines.node.replace('>=', '');
if (process.versions.node.localeCompare(neededNode, 'en', { numeric: true }) < 0)
  fail(`Node.js ${neededNode} or later is required; this is ${process.versions.node}.`);
if (!command || !existsSync(entry))
  fail('Usage: node infra/local/run.mjs start|test|demo|lms|operator|backup|restore|faults [arguments]');
await installDependencies();
const { compile, compiledPath } = await import('./compile.mjs');
const compiled = await compile('.').catch((error) => fail(error.message));
if (compiled > 0) console.error(`${compiled} source files compiled`);
stopWithNpm();
const program = join(process.cwd(), compiledPath(entry));
process.argv = [process.execPath, program, ...args];
await import(program);

/** If several commands are started at once, each of them installs, which pnpm allows. */
async function installDependencies() {
  const marker = 'node_modules/.installed';
  // What determines the contents of node_modules: the lockfile contains the hashes of patches, too.
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(file));
  const fingerprint = hash.digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint) return;
  console.error(`Installing the dependencies with ${packageManager}`);
  const install = ['--yes', packageManager, 'install', '--frozen-lockfile', '--prod=false'];
  const child = spawn('npx', install, {
    stdio: ['ignore', process.stderr, 'inherit'],
    env: { ...process.env, CI: 'true' },
  });
  const stop = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  const [code] = await once(child, 'exit').catch((error) => fail(`npx: ${error.message}`));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop);
  if (code !== 0) fail(`Installing the dependencies failed (exit code ${code}).`, code ?? 1);
  writeFileSync(marker, fingerprint);
}

/** If npm is killed it cannot forward a signal, and this process gets another parent. */
function stopWithNpm() {
  const parent = process.ppid;
  const check = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
  if (process.env.npm_lifecycle_event) setInterval(check, 500).unref();
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
