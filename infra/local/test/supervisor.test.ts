import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import t from 'tap';
import { exchange } from '../src/parts/exchange.ts';
import {
  everyPid,
  isAlive,
  pidOf,
  readLock,
  readStack,
  runParts,
  runPartsTaken,
  runProgram,
  until,
} from './programs/run-program.ts';

const portOf = (directory: string, name: string) => Number(new URL(readStack(directory)[name]?.url ?? '').port);
t.test('a part that was killed comes back where it was, and stack.json names its new process', async (t) => {
  const directory = t.testdir();
  const stack = runParts(t, directory, 'redis', 'nats');
  await stack.printed('everything is ready');
  for (const name of ['redis', 'nats']) {
    const [pid, port] = [pidOf(directory, name), portOf(directory, name)];
    process.kill(pid, 'SIGKILL');
    await until(() => pidOf(directory, name) > 0 && pidOf(directory, name) !== pid);
    t.equal(portOf(directory, name), port);
    await until(() =>
      exchange(port, 'PING\r\n').then(
        (answer) => /PONG|INFO/.test(answer),
        () => false,
      ),
    );
  }
  t.equal(statSync(join(directory, 'stack.json')).mode & 0o077, 0, 'nobody else reads stack.json');
  stack.kill('SIGTERM');
  t.equal(await stack.ended, 0);
});

t.test('PostgreSQL loses nothing that was committed before it was killed', async (t) => {
  const directory = t.testdir();
  const stack = runParts(t, directory, 'postgres');
  await stack.printed('everything is ready');
  const { url = '', pid } = readStack(directory).postgres ?? {};
  const sql = postgres(url, { max: 1, connect_timeout: 1, onclose: () => {} });
  await sql`create table kept (id int)`;
  await sql`insert into kept select generate_series(1, 1000)`;
  process.kill(pid ?? 0, 'SIGKILL');
  await until(() => pidOf(directory, 'postgres') > 0 && pidOf(directory, 'postgres') !== pid);
  await until(() =>
    sql`select count(*)::int as count from kept`.then(
      ([row]) => row?.count === 1000,
      () => false,
    ),
  );
  t.same([...(await sql`select max(id) from kept`)], [{ max: 1000 }]);
  await sql.end();
  stack.kill('SIGINT');
  t.equal(await stack.ended, 0);
});

t.test('a stop leaves no process, no lock and no stack.json', async (t) => {
  const directory = t.testdir();
  const stack = runParts(t, directory, 'redis', 'nats');
  await stack.printed('everything is ready');
  const pids = everyPid(directory);
  t.ok(pids.includes(pidOf(directory, 'redis')));
  t.ok(pids.includes(pidOf(directory, 'nats')));
  stack.kill('SIGTERM');
  t.equal(await stack.ended, 0);
  t.notOk(pids.some(isAlive));
  t.notOk(existsSync(join(directory, 'stack.json')));
  t.notOk(existsSync(join(directory, 'lock.json')));
});

t.test('a second start on the same directory is refused and harms nothing', async (t) => {
  const directory = t.testdir();
  const first = runParts(t, directory, 'redis');
  await first.printed('everything is ready');
  const pid = pidOf(directory, 'redis');
  const second = runParts(t, directory, 'redis');
  t.equal(await second.ended, 1);
  t.match(second.output(), new RegExp(`running on ${directory} already \\(process ${first.pid}\\)`));
  t.equal(pidOf(directory, 'redis'), pid);
  t.match(await exchange(portOf(directory, 'redis'), 'PING\r\n'), 'PONG');
  first.kill('SIGTERM');
  await first.ended;
});

t.test('when the supervisor is killed its parts end, and the next start works at once', async (t) => {
  const directory = t.testdir();
  const killed = runParts(t, directory, 'redis', 'nats');
  await killed.printed('everything is ready');
  const pids = everyPid(directory);
  t.equal(pids.length, 3, 'two parts and the watchdog');
  killed.kill('SIGKILL');
  const next = runParts(t, directory, 'redis', 'nats');
  await next.printed('everything is ready');
  t.notOk(pids.some(isAlive));
  next.kill('SIGTERM');
  t.equal(await next.ended, 0);
});

t.test('when the watchdog was killed as well, the next start ends what is left', async (t) => {
  const directory = t.testdir();
  const killed = runParts(t, directory, 'redis');
  await killed.printed('everything is ready');
  const redis = pidOf(directory, 'redis');
  const watchdog = readLock(directory).watchdog?.pid ?? 0;
  killed.kill('SIGKILL');
  process.kill(watchdog, 'SIGKILL');
  await until(() => !isAlive(killed.pid) && !isAlive(watchdog));
  t.ok(isAlive(redis));
  const next = runParts(t, directory, 'redis');
  await next.printed('everything is ready');
  t.notOk(isAlive(redis));
  next.kill('SIGTERM');
  t.equal(await next.ended, 0);
});

t.test('a watchdog that dies is replaced', async (t) => {
  const directory = t.testdir();
  const stack = runParts(t, directory, 'redis');
  await stack.printed('everything is ready');
  const redis = pidOf(directory, 'redis');
  const watchdog = readLock(directory).watchdog?.pid ?? 0;
  process.kill(watchdog, 'SIGKILL');
  await until(() => (readLock(directory).watchdog?.pid ?? watchdog) !== watchdog);
  stack.kill('SIGKILL');
  await until(() => !isAlive(redis));
});

t.test('a start that fails says which part and why, ends the others and exits with 1', async (t) => {
  const directory = t.testdir();
  const stack = runParts(t, directory, 'redis', 'failing');
  t.equal(await stack.ended, 1);
  t.match(stack.output(), /The start failed: failing: exit code 3\n\s+the disk is on fire/);
  t.match(readFileSync(join(directory, 'logs', 'failing.log'), 'utf8'), 'the disk is on fire');
  t.notOk(existsSync(join(directory, 'lock.json')));
});

for (const taken of ['postgres', 'nats', 'redis'])
  t.test(`a port that is taken before ${taken} listens there is exchanged for another`, async (t) => {
    const directory = t.testdir();
    const names = [...new Set(['redis', 'nats', taken])];
    const stack = runPartsTaken(t, directory, taken, ...names);
    await stack.printed('everything is ready');
    t.match(stack.output(), new RegExp(`${taken}: exit code 1; a port was taken meanwhile, trying others`));
    t.equal(everyPid(directory).length, names.length + 1, 'the parts of the second attempt alone, and the watchdog');
    t.same(Object.keys(readStack(directory)).sort(), names.sort());
    for (const name of ['redis', 'nats'])
      t.match(await exchange(portOf(directory, name), 'PING\r\n'), /PONG|INFO/, name);
    const pids = everyPid(directory);
    stack.kill('SIGTERM');
    t.equal(await stack.ended, 0);
    t.notOk(pids.some(isAlive));
  });

t.test('processes that choose ports at the same time choose different ones', async (t) => {
  const programs = Array.from({ length: 3 }, () => runProgram(t, 'infra/local/test/programs/claim-ports.ts', ['60']));
  const all: string[] = [];
  for (const program of programs) {
    await program.printed('claimed');
    all.push(...(/claimed (.*)/.exec(program.output())?.[1] ?? '').split(','));
  }
  t.equal(all.length, 3 * 60 * 15);
  t.equal(new Set(all).size, all.length);
});

t.test('a start that fails for another reason is not repeated', async (t) => {
  const stack = runParts(t, t.testdir(), 'redis', 'failing');
  t.equal(await stack.ended, 1);
  t.notMatch(stack.output(), 'trying others');
});
