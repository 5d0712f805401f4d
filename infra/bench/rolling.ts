// Replaces every service process and the gateway in turn, several times, while clients send requests. See README.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { databases } from 'local/databases';
import { claimPorts } from 'local/free-ports';
import type { ProcessDefinition } from 'local/process';
import { type Bench, quantile, runBench, setting } from './harness/run-bench.ts';

const minRequests = setting('BENCH_REQUESTS', 20_000);
const shutdown = { SHUTDOWN_DELAY: String(setting('SHUTDOWN_DELAY', 5)), SHUTDOWN_TIMEOUT: '20' };
/** How long a process gets new connections after SIGTERM, as from a Kubernetes Service that learns of it later. */
const unawareMs = 1_000;

type Deployment = Awaited<ReturnType<typeof deploy>>;

await runBench(async (bench) => {
  const { startLocalStack, check } = bench;
  const deployments: Deployment[] = [];
  const stack = await startLocalStack({}, (part) => {
    // It serves no requests.
    if (part.name === 'media-worker') return Promise.resolve();
    if (![...databases, 'gateway'].includes(part.name)) return undefined;
    return deploy(part, bench).then((deployment) => void deployments.push(deployment));
  });
  const { sql } = stack.open('content');
  const [topic] = await sql`select id from nodes where video is not null`;
  const tokens = { learner: await stack.signInAs('learner'), admin: await stack.signInAs('admin') };
  const startedAt = performance.now();
  const clients = startClients(`${stack.gateway}/api`, tokens, String(topic?.id));
  const { durationsMs, failures } = clients;
  for (let round = 1; round <= setting('BENCH_ROUNDS', 10); round += 1) {
    for (const { roll } of deployments) await roll();
    console.log(`round ${round}: ${durationsMs.length} requests, ${failures.length} failed`);
  }
  await waitFor(() => durationsMs.length >= minRequests, { timeoutMs: 3_600_000 });
  const exitCodes = await Promise.all(deployments.flatMap(({ exits }) => exits));
  await clients.end();
  await Promise.all(deployments.map(({ stop }) => stop()));

  for (const failure of failures.slice(0, 40)) console.log(`FAILED ${failure}`);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  const times = [0.5, 0.99, 1].map((share) => `${quantile(durationsMs, share).toFixed(0)} ms`);
  console.log(`${seconds} s; p50, p99 and slowest: ${times.join(', ')}`);
  check('requests', durationsMs.length, { atLeast: minRequests });
  check('failed requests', failures.length, { atMost: 0 });
  const gracefully = exitCodes.filter((code) => code === 0).length;
  check('processes replaced, exited with 0', gracefully, { atLeast: exitCodes.length });
});

/** Starts a process behind a balancer at the part's address: each new connection goes to a ready process, open ones stay. */
async function deploy(part: ProcessDefinition, { logs, stops }: Bench) {
  let ready: Awaited<ReturnType<typeof start>>[] = [];
  let turn = 0;
  const balancer = await openTcpProxy(
    () => {
      turn += 1;
      const chosen = ready[turn % ready.length];
      return chosen && { host: '127.0.0.1', port: chosen.port };
    },
    Number(new URL(part.url).port),
  );
  const exits: Promise<number>[] = [];

  async function start() {
    const [port = 0, adminPort = 0] = (await claimPorts(2)).ports;
    const { file, args, ...options } = await part.command();
    const env = { ...options.env, ...shutdown, PORT: String(port), ADMIN_PORT: String(adminPort) };
    const log = openSync(join(logs, `${part.name}.log`), 'a');
    const child = spawn(file, args, { ...options, env, stdio: ['ignore', log, log] });
    closeSync(log);
    stops.push(async () => void child.kill('SIGKILL'));
    await waitFor(async () => {
      if (child.exitCode !== null) throw new Error(`${part.name} exited with ${child.exitCode} before it was ready`);
      const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => undefined);
      await response?.text();
      return response?.ok;
    });
    return { child, port };
  }
  const terminate = async ({ child }: (typeof ready)[number]) => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    return Number((await exit)[0] ?? 1);
  };
  ready = [await start()];

  return {
    exits,
    /** Starts a new process and stops the old one when the new one is ready: `maxSurge: 1`, `maxUnavailable: 0`. */
    async roll() {
      const old = ready;
      const added = await start();
      ready = [...old, added];
      exits.push(...old.map(terminate));
      await pause(unawareMs);
      ready = [added];
    },
    async stop() {
      await Promise.all(ready.map(terminate));
      balancer.close();
    },
  };
}

/** Starts concurrent clients, each with one request after the other. All other responses than 2xx are failures. */
function startClients(api: string, tokens: { learner: string; admin: string }, topicId: string) {
  const failures: string[] = [];
  const durationsMs: number[] = [];
  let isRunning = true;

  /** A request without repetitions, which would hide a failure. */
  const to = (method: string, path: string, token?: string, body?: object) => async () => {
    const startedAt = performance.now();
    const isForm = body instanceof FormData;
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    };
    try {
      const response = await fetch(api + path, {
        method,
        headers,
        body: isForm ? body : (JSON.stringify(body) ?? null),
      });
      const bytes = await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.status} ${Buffer.from(bytes)}`);
    } catch (error) {
      failures.push(`${new Date().toISOString()} ${method} ${path}: ${error} ${Object(error).cause ?? ''}`);
    }
    durationsMs.push(performance.now() - startedAt);
  };
  const { learner, admin } = tokens;
  const exercises = new FormData();
  exercises.append('topicId', topicId);
  exercises.append('metadata', '{}');
  exercises.append('file', new File([Buffer.alloc(300_000, 'lms')], 'exercises.bin'));
  const groups = [
    {
      ...{ count: 3, pauseMs: 100 },
      round: [to('GET', '/education/tree'), to('GET', '/education/levels'), to('GET', '/education/search?q=numbers')],
    },
    {
      ...{ count: 3, pauseMs: 100 },
      round: [
        to('GET', `/education/topics/${topicId}`, learner),
        to('GET', '/auth/profile', learner),
        to('GET', '/learning/progress', learner),
        to('PUT', `/learning/topics/${topicId}/position`, learner, { positionSeconds: 3, durationSeconds: 9 }),
      ],
    },
    {
      ...{ count: 2, pauseMs: 200 },
      round: [to('POST', `/learning/topics/${topicId}/notes`, learner, { content: 'Carry the one.' })],
    },
    { count: 1, pauseMs: 300, round: [to('GET', `/education/topics/${topicId}/video`, learner)] },
    { count: 1, pauseMs: 1_000, round: [to('POST', '/s3/document/upload', admin, exercises)] },
  ];
  const running = groups.flatMap(({ count, pauseMs, round }) =>
    Array.from({ length: count }, async () => {
      while (isRunning) {
        for (const send of round) await send();
        await pause(pauseMs);
      }
    }),
  );
  return {
    ...{ failures, durationsMs },
    async end() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}
