import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import t from 'tap';
import { deployables } from '../src/sbom/write-sboms.ts';
import { type Container, makeEnvironment, readCompose, root } from './compose-file.ts';

const { variables, directory } = makeEnvironment(t);
const { services, secrets } = readCompose(variables);

/** Replaces ports, and paths inside the container, by those of this machine. */
function adaptEnvironment(environment: Record<string, string>): Record<string, string> {
  const adapted = Object.entries(environment).map(([name, value]): [string, string] => {
    const secret = secrets[basename(value)];
    if (name.endsWith('_FILE') && secret) return [name, join(directory, secret.file)];
    if (name === 'DATA_FILE') return [name, join(directory, basename(value))];
    if (name === 'HOST' || name === 'ADMIN_HOST') return [name, '127.0.0.1'];
    if (name === 'PORT' || name === 'ADMIN_PORT') return [name, '0'];
    if (name === 'DATA_DIR') return [name, directory];
    return [name, value];
  });
  return Object.fromEntries(adapted);
}

/** Starts the program of a container with its environment from the compose file. */
function start({ build, command, environment = {} }: Container): { child: ChildProcess; output: () => string } {
  const folder = deployables.find((name) => basename(name) === build?.args.WORKSPACE) ?? 'unknown';
  const args = [join(root, folder, command?.[1] ?? 'dist/main.js')];
  const env = { PATH: process.env.PATH ?? '', ...adaptEnvironment(environment) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

async function outcomeOf(container: Container): Promise<string> {
  const { child, output } = start(container);
  const listening = new Promise<string>((resolve) =>
    child.stdout?.on('data', () => /listening/i.test(output()) && resolve('listens')),
  );
  const ended = once(child, 'close').then(([code]) => `exit ${code}: ${output()}`);
  const outcome = await Promise.race([listening, ended]);
  child.kill('SIGKILL');
  return outcome;
}

const processes = ['identity', 'content', 'media', 'media-worker', 'enrollment', 'gateway', 'identity-provider'];
const getContainer = (name: string): Container => {
  const container = services[name];
  if (!container) throw new Error(`no ${name} in the compose file`);
  return container;
};

t.test('each process accepts its environment, and listens while its dependencies are unavailable', async (t) => {
  const outcomes = await Promise.all(
    processes.map(async (name) => [name, await outcomeOf(getContainer(name))] as const),
  );
  for (const [name, outcome] of outcomes) t.equal(outcome, 'listens', name);
});

t.test('a missing setting is detected', async (t) => {
  const { NATS_URL, ...rest } = getContainer('identity').environment ?? {};
  t.ok(NATS_URL);
  t.match(
    await outcomeOf({ ...getContainer('identity'), environment: rest }),
    /^exit 78: [\s\S]*NATS_URL: is required/,
  );
});

t.test('each task accepts its settings, and fails only because a server is unavailable', async (t) => {
  const tasks = Object.entries(services).filter(
    ([, { restart, command }]) => restart === 'no' && command?.[1]?.startsWith('dist/'),
  );
  t.equal(tasks.length, 7);
  const outcomes = await Promise.all(tasks.map(async ([name, task]) => [name, await outcomeOf(task)] as const));
  for (const [name, outcome] of outcomes) {
    t.match(outcome, /^exit 1: [\s\S]*(ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|fetch failed)/, name);
    t.notMatch(outcome, /Invalid settings|is required/, name);
  }
});
