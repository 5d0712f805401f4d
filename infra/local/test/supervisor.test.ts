import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import t from 'tap';
import { readReply } from '../src/processes/servers.ts';
import {
  childrenOf,
  isRunning,
  makeDirectory,
  makeDirectoryWithCluster,
  pidOf,
  readStack,
  runProcesses,
  runProcessesOnTakenPort,
  runProgram,
  until,
} from './programs/run-program.ts';

const portOf = (directory: string, name: string) => Number(new URL(readStack(directory)[name]?.url ?? '').port);
t.test('a process that was killed is restarted on the same port, and stack.json contains its new pid', async (t) => {
  const directory = makeDirectory(t);
  const stack = runProcesses(t, directory, 'redis', 'nats');
  await stack.printed('all processes are ready');
  for (const name of ['redis', 'nats']) {
    const [pid, port] = [pidOf(directory, name), portOf(directory, name)];
    process.kill(pid, 'SIGKILL');
    await until(() => pidOf(directory, name) > 0 && pidOf(directory, name) !== pid);
    t.equal(portOf(directory, name), port);
    await until(() =>
      readReply(port, 'PING\r\n').then(
        (reply) => /PONG|INFO/.test(reply),
        () => false,
      ),
    );
  }
  t.equal(statSync(join(directory, 'stack.json')).mode & 0o077, 0, 'only the owner can read stack.json');

  await t.test('after a stop there is no process, lock or stack.json', async (t) => {
    const pids = childrenOf(stack);
    t.ok(pids.includes(pidOf(directory, 'redis')));
    t.ok(pids.includes(pidOf(directory, 'nats')));
    stack.kill('SIGTERM');
    t.equal(await stack.ended, 0);
    t.notOk(pids.some(isRunning));
    t.notOk(existsSync(join(directory, 'stack.json')));
    t.notOk(existsSync(join(directory, 'supervisor.pid')));
  });
});

t.test('PostgreSQL keeps all committed rows when it is killed', async (t) => {
  const directory = await makeDirectoryWithCluster(t);
  const stack = runProcesses(t, directory, 'postgres');
  await stack.printed('all processes are ready');
  const { url = '', pid } = readStack(directory).postgres ?? {};
  const sql = postgres(url, { max: 1, connect_timeout: 30, onclose: () => {} });
  await sql`create table things (id int)`;
  await sql`insert into things select generate_series(1, 1000)`;
  process.kill(pid ?? 0, 'SIGKILL');
  await until(() => pidOf(directory, 'postgres') > 0 && pidOf(directory, 'postgres') !== pid);
  await until(() =>
    sql`select count(*)::int as count from things`.then(
      ([row]) => row?.count === 1000,
      () => false,
    ),
  );
  t.same([...(await sql`select max(id) from things`)], [{ max: 1000 }]);
  await sql.end();
  stack.kill('SIGINT');
  t.equal(await stack.ended, 0);
});

t.test('a second start in the same directory fails and does not affect the first', async (t) => {
  const directory = makeDirectory(t);
  const first = runProcesses(t, directory, 'redis');
  await first.printed('all processes are ready');
  const pid = pidOf(directory, 'redis');
  const second = runProcesses(t, directory, 'redis');
  t.equal(await second.ended, 1);
  t.match(second.output(), new RegExp(`already running in ${directory} \\(process ${first.pid}\\)`));
  t.equal(pidOf(directory, 'redis'), pid);
  t.match(await readReply(portOf(directory, 'redis'), 'PING\r\n', 30_000), 'PONG');
  first.kill('SIGTERM');
  await first.ended;
});

t.test('when the supervisor is killed, its processes are stopped and the next start succeeds', async (t) => {
  const directory = await makeDirectoryWithCluster(t);
  const names = ['redis', 'nats', 'postgres'];
  const killed = runProcesses(t, directory, ...names);
  await killed.printed('all processes are ready');
  const pids = childrenOf(killed);
  t.equal(pids.length, 4, 'three processes and the watchdog');
  killed.kill('SIGKILL');
  const next = runProcesses(t, directory, ...names);
  await next.printed('all processes are ready');
  t.notOk(pids.some(isRunning));
  next.kill('SIGTERM');
  t.equal(await next.ended, 0);
});

t.test('a start that fails reports the process and the reason once, stops the others and exits with 1', async (t) => {
  const directory = makeDirectory(t);
  const stack = runProcesses(t, directory, 'redis', 'failing');
  t.equal(await stack.ended, 1);
  t.match(stack.output(), /The start failed: failing: exit code 3\n\s+the disk is full/);
  t.match(readFileSync(join(directory, 'logs', 'failing.log'), 'utf8'), 'the disk is full');
  t.notMatch(stack.output(), 'trying other ports', 'it is repeated only if a port was taken');
  t.notOk(existsSync(join(directory, 'supervisor.pid')));
});

for (const taken of ['postgres', 'nats', 'redis'])
  t.test(`if another program takes the port of ${taken}, all processes are started on other ports`, async (t) => {
    const directory = await makeDirectoryWithCluster(t);
    const names = [...new Set(['redis', 'nats', taken])];
    const stack = runProcessesOnTakenPort(t, directory, taken, ...names);
    await stack.printed('all processes are ready');
    t.match(stack.output(), new RegExp(`${taken}: exit code 1; another program took a port, trying other ports`));
    t.equal(childrenOf(stack).length, names.length + 1, 'only the processes of the second attempt, and the watchdog');
    t.same(Object.keys(readStack(directory)).sort(), names.sort());
    for (const name of ['redis', 'nats'])
      t.match(await readReply(portOf(directory, name), 'PING\r\n', 30_000), /PONG|INFO/, name);
    const pids = childrenOf(stack);
    stack.kill('SIGTERM');
    t.equal(await stack.ended, 0);
    t.notOk(pids.some(isRunning));
  });

t.test('concurrent processes claim different ports', async (t) => {
  const programs = Array.from({ length: 3 }, () => runProgram(t, 'infra/local/test/programs/claim-ports.ts', ['60']));
  const all: string[] = [];
  for (const program of programs) {
    await until(() => /claimed .*\n/.test(program.output()));
    all.push(...(/claimed (.*)/.exec(program.output())?.[1] ?? '').split(','));
  }
  t.equal(all.length, 3 * 60 * 15);
  t.equal(new Set(all).size, all.length);
});
