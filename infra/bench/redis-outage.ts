/**
 * Counts calls while Redis is frozen, lets it continue, and compares each user's usage in Redis with the calls that were
 * made. Exits with 1 if a user's count is wrong or the gateway's event loop was blocked for more than 50 ms.
 * BENCH_USERS (300), BENCH_CALLS (200, of each user). Needs redis-server and nats-server.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { waitFor } from '@lms/testing/wait-for';
import { createId } from '@paralleldrive/cuid2';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { createProcesses, freePort, root } from './gateway-load/processes.ts';

const userCount = Number(process.env.BENCH_USERS ?? 300);
const callsEach = Number(process.env.BENCH_CALLS ?? 200);
const path = '/api/enrollment';
const maxDelayMs = 50;

const directory = await mkdtemp(join(tmpdir(), 'redis-outage-'));
const processes = createProcesses(directory);
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  await processes.end();
  await rm(directory, { recursive: true, force: true });
}

async function measure(): Promise<boolean> {
  const [upstreamPort, gatewayPort, redisPort, natsPort] = await Promise.all(Array.from({ length: 4 }, freePort));
  const at = (port: number | undefined) => `http://127.0.0.1:${port}`;
  const upstream = at(upstreamPort);
  const redisOptions = ['--port', String(redisPort), '--dir', directory, '--save', ''];
  const redisPid = await processes.start('redis', 'redis-server', redisOptions);
  await processes.start('nats', 'nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)]);
  await processes.startNode('upstream', './upstream.ts', { PORT: String(upstreamPort) });
  const delayFile = join(directory, 'delay');
  const recorder = join(root, 'infra/bench/gateway-load/record-event-loop-delay.mjs');
  const gatewayPid = await processes.startGateway('gateway', {
    ...{ IDENTITY_URL: upstream, CONTENT_URL: upstream, MEDIA_URL: upstream, ENROLLMENT_URL: upstream },
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    PASSPORT_PRIVATE_KEY: createPassportKeys().privateKey,
    IDP_ISSUER: upstream,
    IDP_JWKS_URL: `${upstream}/jwks`,
    RATE_LIMIT_GENERAL: '1000000000',
    LOG_LEVEL: 'warn',
    PORT: String(gatewayPort),
    NODE_OPTIONS: `--import=${recorder}`,
    EVENT_LOOP_DELAY_FILE: delayFile,
  });
  const isRedisUp = async (expected: string) => {
    const response = await fetch(`${at(gatewayPort)}/readyz`).catch(() => undefined);
    const { checks } = Object(await response?.json());
    return checks?.redis === expected && checks?.keys === 'ok';
  };
  await waitFor(() => isRedisUp('ok'), { timeoutMs: 30_000, until: 'the gateway' });

  const users = Array.from({ length: userCount }, () => createId());
  const tokens = await Promise.all(users.map(async (user) => (await fetch(`${upstream}/token?sub=${user}`)).text()));
  const client = new Pool(at(gatewayPort), { connections: 64 });
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
  const isDown = await isRedisUp('unavailable');
  process.kill(redisPid, 'SIGCONT');

  const redis = new Redis({ port: Number(redisPort) });
  const month = new Date().toISOString().slice(0, 7);
  const countsOf = () =>
    Promise.all(users.map(async (user) => Number(await redis.hget(`lms:quota:{${user}}:${month}`, 'calls'))));
  const expected = callsEach + 1;
  await waitFor(async () => (await countsOf()).every((count) => count >= expected), {
    until: 'the usage in Redis',
  }).catch(() => undefined);
  await waitFor(() => isRedisUp('ok'));
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
