// Counts calls while Redis is frozen, lets it continue, and compares each user's usage in Redis with the calls that were
// made. See README.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import { root } from 'local/processes/node-process';
import { Pool } from 'undici';
import { runBench, setting } from './harness/run-bench.ts';
import { untilConnected } from './harness/start.ts';

const userCount = setting('BENCH_USERS', 300);
const callsEach = setting('BENCH_CALLS', 200);

await runBench(async ({ directory, startUpstream, check }) => {
  const { redis, tokenOf, startGateway } = await startUpstream();
  const delayFile = join(directory, 'delay');
  const gateway = await startGateway({
    NODE_OPTIONS: `--import=${join(root, 'infra/bench/servers/record-event-loop-delay.mjs')}`,
    EVENT_LOOP_DELAY_FILE: delayFile,
  });

  // Learners with the plan FREE, whose calls are counted.
  const users = Array.from({ length: userCount }, (_, number) => `f${String(number).padStart(23, '0')}`);
  const tokens = await Promise.all(users.map(tokenOf));
  const client = new Pool(gateway.url, { connections: 64 });
  let failed = 0;
  async function call(token: string) {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await client.request({ path: '/api/enrollment', method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) failed += 1;
  }
  const callOnce = () => Promise.all(tokens.map(call));
  // Tokens and principals are cached from here on, and what the gateway did until it was ready does not count.
  await callOnce();
  process.kill(gateway.pid, 'SIGCONT');
  process.kill(redis.pid, 'SIGSTOP');
  for (let made = 0; made < callsEach; made += 1) await callOnce();
  const { checks } = Object(await (await fetch(`${gateway.url}/readyz`)).json());
  process.kill(redis.pid, 'SIGCONT');

  const connection = new Redis(redis.url);
  const month = new Date().toISOString().slice(0, 7);
  const countsOf = () =>
    Promise.all(
      users.map(async (user) => {
        // Each gateway process has a field of its own.
        const fields = Object.entries(await connection.hgetall(`lms:quota:{${user}}:${month}`));
        return fields.reduce((sum, [field, count]) => (field.startsWith('calls') ? sum + Number(count) : sum), 0);
      }),
    );
  const expected = callsEach + 1;
  const areCounted = async () => (await countsOf()).every((count) => count >= expected);
  await waitFor(areCounted).catch(() => undefined);
  await untilConnected(gateway.url);
  const exact = (await countsOf()).filter((count) => count === expected).length;
  await connection.quit();
  await client.close();
  process.kill(gateway.pid, 'SIGTERM');
  const longestMs = Number(await waitFor(() => readFile(delayFile, 'utf8').catch(() => undefined)));
  console.log(`${userCount * callsEach} calls while Redis was frozen`);
  check('the gateway noticed it', checks.redis === 'unavailable' ? 1 : 0, { atLeast: 1 });
  check('failed calls', failed, { atMost: 0 });
  check(`users with the exact count, ${expected}`, exact, { atLeast: userCount });
  check('longest time that the event loop was blocked, ms', longestMs, { atMost: 50 });
});
