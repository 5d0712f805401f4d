// Replaces every service process and the gateway in turn, again and again, while clients send requests. See README.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@lms/client';
import { openTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { databases } from 'local/databases';
import { claimPorts } from 'local/free-ports';
import type { ProcessDefinition } from 'local/process';
import { load } from './harness/measure.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';

const shutdown = { SHUTDOWN_DELAY: String(setting('SHUTDOWN_DELAY', 5)), SHUTDOWN_TIMEOUT: '20' };
/** How long a process gets new connections after SIGTERM, as from a Kubernetes Service that learns of it later. */
const unawareMs = 1_000;

await runBench(async (bench) => {
  const deployments: Awaited<ReturnType<typeof deploy>>[] = [];
  const stack = await bench.startLocalStack({}, (part) => {
    // It serves no requests.
    if (part.name === 'media-worker') return Promise.resolve();
    if (![...databases, 'gateway'].includes(part.name)) return undefined;
    return deploy(part, bench).then((deployment) => void deployments.push(deployment));
  });
  const [topic] = await stack.open('content').sql`select id from nodes where video is not null`;
  const topicId = String(topic?.id);
  const headers = { authorization: `Bearer ${await stack.signInAs('learner')}` };
  const ofTopic = { path: `/api/education/topics/${topicId}`, headers };
  const ofLearning = { path: `/api/learning/topics/${topicId}`, headers };
  const requests = [
    ...['tree', 'levels', 'search?q=numbers'].map((path) => ({ path: `/api/education/${path}` })),
    ...['/auth/profile', '/learning/progress'].map((path) => ({ path: `/api${path}`, headers })),
    ...[ofTopic, { ...ofTopic, path: `${ofTopic.path}/video` }],
    {
      ...ofLearning,
      path: `${ofLearning.path}/position`,
      method: 'PUT',
      body: { positionSeconds: 3, durationSeconds: 9 },
    },
    { ...ofLearning, path: `${ofLearning.path}/notes`, method: 'POST', body: { content: 'Carry the one.' } },
  ];
  let isLoaded = true;
  const loading = load({
    url: stack.gateway,
    requests,
    connections: 8,
    seconds: setting('BENCH_SECONDS', 180),
  }).finally(() => {
    isLoaded = false;
  });

  /** Uploads over a connection that is idle in between. Repetitions would hide a failure. */
  async function upload(): Promise<string[]> {
    const token = await stack.signInAs('admin');
    const admin = createClient({ baseUrl: stack.gateway, token: () => token, retries: 0 });
    const failures: string[] = [];
    while (isLoaded) {
      const file = new File([Buffer.alloc(300_000, 'lms')], 'exercises.bin');
      const failure = await admin
        .uploadDocument({ topicId, file })
        .then(({ error }) => error && JSON.stringify(error), String);
      if (failure) failures.push(failure);
      await pause(1_000);
    }
    return failures;
  }
  const uploading = upload();
  while (isLoaded) for (const { roll } of deployments) await roll();

  const { failed = Number.NaN, ...measured } = await loading;
  const failedUploads = await uploading;
  console.table({ requests: measured });
  for (const failure of failedUploads) console.log(`FAILED upload: ${failure}`);
  const exitCodes = await Promise.all(deployments.flatMap(({ exits }) => exits));
  bench.check('failed requests', failed, { atMost: 0 });
  bench.check('failed uploads', failedUploads.length, { atMost: 0 });
  bench.check('processes replaced', exitCodes.length, { atLeast: deployments.length });
  bench.check('not exited with 0', exitCodes.filter((code) => code !== 0).length, { atMost: 0 });
  await Promise.all(deployments.map(({ stop }) => stop()));
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
