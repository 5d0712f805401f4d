import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startNats, startPostgres, startRedis } from '../src/embedded/start-embedded.ts';
import { readReply } from '../src/processes/servers.ts';
import { isRunning, makeDirectory } from './programs/run-program.ts';

const portOf = ({ url }: { url: string }) => Number(new URL(url).port);

t.test('PostgreSQL starts although the pid in its postmaster.pid now belongs to another program', async (t) => {
  const directory = makeDirectory(t);
  const first = await startPostgres({ directory });
  await first.stop();
  writeFileSync(join(directory, 'cluster', 'postmaster.pid'), `${process.pid}\n`, { mode: 0o600 });
  const second = await startPostgres({ directory });
  t.ok(second.pid);
  await second.stop();
});

t.test('Redis keeps its data, even if its append-only file ends in the middle of a command', async (t) => {
  const directory = makeDirectory(t);
  const first = await startRedis({ directory });
  t.match(await readReply(portOf(first), 'SET stored 1\r\n', 30_000), '+OK');
  await first.stop();
  const log = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.incr.aof'));
  appendFileSync(join(directory, log ?? ''), '*3\r\n$3\r\nSET\r\n$4\r\nha');
  const second = await startRedis({ directory, port: portOf(first) });
  t.match(await readReply(portOf(second), 'GET stored\r\n', 30_000), '$1\r\n1');
  await second.stop();
});

t.test('NATS has JetStream, accepts the largest topic, and does not run after a stop', async (t) => {
  const nats = await startNats({ directory: makeDirectory(t) });
  const { pid } = nats;
  const greeting = await readReply(portOf(nats), '', 30_000);
  t.match(greeting, /"jetstream":\s*true/);
  t.ok(Number(/"max_payload":\s*(\d+)/.exec(greeting)?.[1]) >= 6 * 1024 * 1024);
  await nats.stop();
  t.notOk(isRunning(pid ?? 0));
});
