// Replaces every service process and the gateway in turn, again and again, while clients send requests. See README.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@lms/client';
import { freePort } from '@lms/testing/servers';
import { openTcpProxy } from '@lms/testing/tcp-proxy';
import { load } from './harness/measure.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';

const shutdown = { SHUTDOWN_DELAY: String(setting('SHUTDOWN_DELAY', 5)), SHUTDOWN_TIMEOUT: '20' };
/** How long a process gets new connections after SIGTERM, as from a Kubernetes Service that learns of it later. */
const unawareMs = 1_000;

await runBench(async (bench) => {
  const { open, signInAs, ...stack } = await bench.startLocalStack();
  const [topic] = await open('content')`select id from nodes where video is not null`;
  const topicId = String(topic?.id);
  const [{ headers }, { token }] = [await signInAs('learner'), await signInAs('admin')];
  const { gateway, exits, roll } = await deploy(bench, stack);
  const [inContent, inLearning] = [`/api/education/topics/${topicId}`, `/api/learning/topics/${topicId}`];
  const reads = ['/api/auth/profile', '/api/learning/progress', inContent, `${inContent}/video`];
  const position = { positionSeconds: 3, durationSeconds: 9 };
  const requests = [
    ...['tree', 'levels', 'search?q=numbers'].map((path) => ({ path: `/api/education/${path}` })),
    ...reads.map((path) => ({ path, headers })),
    { path: `${inLearning}/position`, method: 'PUT', headers, body: position },
    { path: `${inLearning}/notes`, method: 'POST', headers, body: { content: 'Carry the one.' } },
  ];
  let isLoaded = true;
  const seconds = setting('BENCH_SECONDS', 180);
  const loading = load({ url: gateway, requests, connections: 8, seconds }).finally(() => {
    isLoaded = false;
  });

  // Uploads over a connection that is idle in between. Repetitions would hide a failure.
  const admin = createClient({ baseUrl: gateway, token: () => token, retries: 0 });
  let failedUploads = 0;
  async function uploadRepeatedly() {
    while (isLoaded) {
      const file = new File([Buffer.alloc(300_000, 'lms')], 'exercises.bin');
      const { error } = await admin.uploadDocument({ topicId, file }).catch((thrown: unknown) => ({ error: thrown }));
      if (error) console.error('upload failed', error);
      if (error) failedUploads += 1;
      await pause(1_000);
    }
  }
  const uploading = uploadRepeatedly();
  while (isLoaded) await roll();

  const { failed = Number.NaN, ...measured } = await loading;
  await uploading;
  console.table({ requests: measured });
  const unclean = (await Promise.all(exits)).filter(([code]) => code !== 0);
  bench.check('failed requests', failed, { atMost: 0 });
  bench.check('failed uploads', failedUploads, { atMost: 0 });
  bench.check('processes replaced', exits.length, { atLeast: 5 });
  bench.check('not exited with 0', unclean.length, { atMost: 0 });
});

type Stack = Pick<Awaited<ReturnType<Bench['startLocalStack']>>, 'directory' | 'pidsOf'>;

/**
 * Runs the services and the gateway of a stack behind balancers that do what a Kubernetes Service does: each new connection
 * goes to a ready process, open ones stay.
 */
async function deploy({ startProgram, stops }: Bench, { directory, pidsOf }: Stack) {
  const pids = pidsOf('identity', 'content', 'media', 'enrollment', 'gateway');
  const parts = await Promise.all(
    Object.entries(pids).map(async ([name, pid]) => {
      const ready: { host: string; port: number; pid: number; exited: Promise<unknown[]> }[] = [];
      let turn = 0;
      const { port, close } = await openTcpProxy(() => ready[turn++ % ready.length]);
      stops.push(close);
      const command = await readEntries(pid, 'cmdline');
      const env = Object.fromEntries((await readEntries(pid, 'environ')).map((entry) => entry.split(/=(.*)/s, 2)));
      return { name, url: `http://127.0.0.1:${port}`, ready, command, env };
    }),
  );
  const urls = Object.fromEntries(parts.map(({ name, url }) => [`${name.toUpperCase()}_URL`, url]));

  async function start({ name, command, env: own }: (typeof parts)[number]) {
    const [port, adminPort] = [await freePort(), await freePort()];
    const env = { ...own, ...urls, ...shutdown, PORT: String(port), ADMIN_PORT: String(adminPort) };
    const isReady = async () => (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).ok;
    return { host: '127.0.0.1', port, ...(await startProgram(name, command, { env }, isReady)) };
  }
  const exits: Promise<unknown[]>[] = [];
  /** Starts a new process of each part, and stops the old one when the new one is ready: `maxSurge: 1`, `maxUnavailable: 0`. */
  async function roll() {
    for (const part of parts) {
      const old = [...part.ready];
      part.ready.push(await start(part));
      for (const { pid, exited } of old) {
        process.kill(pid, 'SIGTERM');
        exits.push(exited);
      }
      await pause(unawareMs);
      part.ready.splice(0, old.length);
    }
  }

  await roll();
  // The processes of the stack end, and are not started again.
  const supervisor = Number(await readFile(join(directory, 'supervisor.pid'), 'utf8'));
  process.kill(supervisor, 'SIGSTOP');
  stops.push(() => process.kill(supervisor, 'SIGCONT'));
  for (const pid of Object.values(pids)) process.kill(pid, 'SIGTERM');
  return { gateway: String(urls.GATEWAY_URL), exits, roll };
}

async function readEntries(pid: number, file: 'cmdline' | 'environ'): Promise<string[]> {
  return (await readFile(`/proc/${pid}/${file}`, 'utf8')).split('\0').slice(0, -1);
}
