// Counts calls while Redis is frozen, lets it continue, and compares each user's usage in Redis with the calls that were
// made. See README.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { isConnected, runBench, setting } from './harness/run-bench.ts';

const userCount = setting('BENCH_USERS', 300);
const callsEach = setting('BENCH_CALLS', 200);

await runBench(async ({ directory, startUpstream, check }) => {
  const { redis, tokenOf, startGateway } = await startUpstream();
  const delayFile = join(directory, 'delay');
  const recorder = join(import.meta.dirname, 'servers/record-event-loop-delay.mjs');
  const gateway = await startGateway({ EVENT_LOOP_DELAY_FILE: delayFile }, [`--import=${recorder}`]);

  // Learners with the plan FREE, whose calls are counted.
  const users = Array.from({ length: userCount }, (_, number) => `f${String(number).padStart(23, '0')}`);
  const tokens = users.map(tokenOf);
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
  process.kill(Number(redis.pid), 'SIGSTOP');
  for (let made = 0; made < callsEach; made += 1) await callOnce();
  const noticed = !(await isConnected(gateway.url));
  process.kill(Number(redis.pid), 'SIGCONT');

  const connection = new Redis(redis.url);
  const month = new Date().toISOString().slice(0, 7);
  const expected = callsEach + 1;
  async function countExact() {
    const usages = await Promise.all(users.map((user) => connection.hgetall(`lms:quota:{${user}}:${month}`)));
    // Each gateway process has a field of its own.
    const callsOf = (usage: Record<string, string>) =>
      Object.entries(usage).reduce((sum, [field, count]) => (field.startsWith('calls') ? sum + Number(count) : sum), 0);
    return usages.filter((usage) => callsOf(usage) === expected).length;
  }
  await waitFor(async () => (await countExact()) === userCount).catch(() => undefined);
  await waitFor(() => isConnected(gateway.url));
  const exact = await countExact();
  await connection.quit();
  await client.close();
  console.log(`${userCount * callsEach} calls while Redis was frozen`);
  check('the gateway noticed it', Number(noticed), { atLeast: 1 });
  check('failed calls', failed, { atMost: 0 });
  check(`users with the exact count, ${expected}`, exact, { atLeast: userCount });
  check('longest time that the event loop was blocked, ms', Number(await readFile(delayFile)), { atMost: 50 });
});
