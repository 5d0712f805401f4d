/**
 * Counts calls while Redis is frozen, lets it continue, and compares each user's usage in Redis with the calls that were
 * made. Exits with 1 if a user's count is wrong or the gateway's event loop was blocked for more than 50 ms.
 * BENCH_USERS (300), BENCH_CALLS (200, of each user). Needs redis-server.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { freePort, root, untilConnected } from './harness/processes.ts';
import { type Bench, runBench } from './harness/run-bench.ts';

const userCount = Number(process.env.BENCH_USERS ?? 300);
const callsEach = Number(process.env.BENCH_CALLS ?? 200);
const path = '/api/enrollment';
const maxDelayMs = 50;

await runBench(async (bench) => {
  process.exitCode = (await measure(bench)) ? 0 : 1;
});

async function measure({ directory, start, startScript, startGateway }: Bench): Promise<boolean> {
  const redisPort = await freePort();
  const redisPid = await start('redis', 'redis-server', [
    ...['--port', String(redisPort), '--dir', directory, '--save', ''],
  ]);
  const { url: services } = await startScript('services', 'harness/other-services.ts');
  const delayFile = join(directory, 'delay');
  const { url, pid: gatewayPid } = await startGateway(services, {
    // Events are not needed here.
    NATS_URL: `nats://127.0.0.1:${await freePort()}`,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    NODE_OPTIONS: `--import=${join(root, 'infra/bench/redis-outage/record-event-loop-delay.mjs')}`,
    EVENT_LOOP_DELAY_FILE: delayFile,
  });
  await untilConnected(url, 'redis', 'keys');

  // Learners with the plan FREE, whose calls are counted.
  const users = Array.from({ length: userCount }, (_, number) => `f${String(number).padStart(23, '0')}`);
  const tokens = await Promise.all(users.map(async (user) => (await fetch(`${services}/tokens/${user}`)).text()));
  const client = new Pool(url, { connections: 64 });
  let failed = 0;
  async function callOnce() {
    const statuses = await Promise.all(
      tokens.map(async (token) => {
        const { statusCode, body } = await client.request({
          path,
          method: 'GET',
          headers: { authorization: `Bearer ${token}` },
        });
        await body.dump();
        return statusCode;
      }),
    );
    failed += statuses.filter((status) => status !== 200).length;
  }
  // Tokens and principals are cached from here on.
  await callOnce();
  process.kill(gatewayPid, 'SIGCONT');
  process.kill(redisPid, 'SIGSTOP');
  for (let call = 0; call < callsEach; call += 1) await callOnce();
  const { checks } = Object(await (await fetch(`${url}/readyz`)).json());
  const isDown = checks.redis === 'unavailable';
  process.kill(redisPid, 'SIGCONT');

  const redis = new Redis({ port: Number(redisPort) });
  const month = new Date().toISOString().slice(0, 7);
  const countsOf = () =>
    Promise.all(users.map(async (user) => Number(await redis.hget(`lms:quota:{${user}}:${month}`, 'calls'))));
  const expected = callsEach + 1;
  await waitFor(async () => (await countsOf()).every((count) => count >= expected), {
    until: 'the usage in Redis',
  }).catch(() => undefined);
  await untilConnected(url, 'redis');
  const counts = await countsOf();
  await redis.quit();
  await client.close();
  const exact = counts.filter((count) => count === expected).length;
  const delayMs = Number(await readFile(delayFile, 'utf8'));
  console.log(`calls while Redis was frozen: ${userCount * callsEach}, failed: ${failed}, noticed: ${isDown}`);
  console.log(`users with the exact count ${expected}: ${exact} of ${userCount}`);
  console.log(
    `longest time that the event loop of the gateway was blocked: ${delayMs.toFixed(0)} ms, at most ${maxDelayMs}`,
  );
  return isDown && failed === 0 && exact === userCount && delayMs <= maxDelayMs;
}
