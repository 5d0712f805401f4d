/**
 * Counts calls while Redis is frozen, lets it continue, and compares each user's usage in Redis with the calls that were
 * made. Exits with 1 if a user's count is wrong or the gateway's event loop was blocked for more than 50 ms.
 * BENCH_USERS (300), BENCH_CALLS (200, of each user). Needs nats-server and redis-server.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import { root } from 'local/processes/node-process';
import { Pool } from 'undici';
import { untilConnected } from './harness/processes.ts';
import { runBench, setting } from './harness/run-bench.ts';

const userCount = setting('BENCH_USERS', 300);
const callsEach = setting('BENCH_CALLS', 200);

await runBench(async ({ directory, startNats, startRedis, startOthers, startGateway, check }) => {
  const { url: redisUrl, pid: redisPid } = await startRedis();
  const services = await startOthers();
  const delayFile = join(directory, 'delay');
  const { url, pid: gatewayPid } = await startGateway(services.url, {
    ...{ NATS_URL: (await startNats()).url, REDIS_URL: redisUrl },
    NODE_OPTIONS: `--import=${join(root, 'infra/bench/redis-outage/record-event-loop-delay.mjs')}`,
    EVENT_LOOP_DELAY_FILE: delayFile,
  });
  await untilConnected(url);

  // Learners with the plan FREE, whose calls are counted.
  const users = Array.from({ length: userCount }, (_, number) => `f${String(number).padStart(23, '0')}`);
  const tokens = await Promise.all(users.map(services.tokenOf));
  const client = new Pool(url, { connections: 64 });
  let failed = 0;
  async function call(token: string) {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await client.request({ path: '/api/enrollment', method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) failed += 1;
  }
  const callOnce = () => Promise.all(tokens.map(call));
  // Tokens and principals are cached from here on.
  await callOnce();
  process.kill(gatewayPid, 'SIGCONT');
  process.kill(Number(redisPid), 'SIGSTOP');
  for (let made = 0; made < callsEach; made += 1) await callOnce();
  const { checks } = Object(await (await fetch(`${url}/readyz`)).json());
  process.kill(Number(redisPid), 'SIGCONT');

  const redis = new Redis(redisUrl);
  const month = new Date().toISOString().slice(0, 7);
  const countsOf = () =>
    Promise.all(users.map(async (user) => Number(await redis.hget(`lms:quota:{${user}}:${month}`, 'calls'))));
  const expected = callsEach + 1;
  await waitFor(async () => (await countsOf()).every((count) => count >= expected), {
    until: 'the usage in Redis',
  }).catch(() => undefined);
  await untilConnected(url);
  const exact = (await countsOf()).filter((count) => count === expected).length;
  await redis.quit();
  await client.close();
  console.log(`${userCount * callsEach} calls while Redis was frozen`);
  check('the gateway noticed it', checks.redis === 'unavailable' ? 1 : 0, { atLeast: 1 });
  check('failed calls', failed, { atMost: 0 });
  check(`users with the exact count, ${expected}`, exact, { atLeast: userCount });
  check('longest time that the event loop was blocked, ms', Number(await readFile(delayFile, 'utf8')), { atMost: 50 });
});
