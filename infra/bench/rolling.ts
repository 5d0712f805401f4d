/**
 * Replaces every process in turn, several times, while clients send requests. Exits with 1 if any request failed.
 * BENCH_ROUNDS (10), BENCH_REQUESTS (20000, the minimum), SHUTDOWN_DELAY (5 seconds).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { databases } from 'local/databases';
import { signIn } from 'local/running-stack';
import { readData } from './harness/local-stack.ts';
import { quantile } from './harness/rounds.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { createLoad, startClients } from './rolling/clients.ts';
import { createDeployment, type Deployment } from './rolling/deployment.ts';

const minRequests = setting('BENCH_REQUESTS', 20_000);
const replaced = [...databases, 'gateway'];
const shutdownSettings = { SHUTDOWN_DELAY: String(setting('SHUTDOWN_DELAY', 5)), SHUTDOWN_TIMEOUT: '20' };

await runBench(async (bench) => {
  const deployments: Deployment[] = [];
  const { gateway, provider } = await bench.startLocalStack({
    start(part) {
      // It serves no requests.
      if (part.name === 'media-worker') return Promise.resolve();
      if (!replaced.includes(part.name)) return undefined;
      return createDeployment(part, shutdownSettings, bench).then((created) => {
        deployments.push(created);
        return created.start();
      });
    },
  });
  let during = 'the start';
  const load = createLoad(gateway, () => during);
  const startedAt = performance.now();
  const clients = startClients(load, await readSeedData(gateway, provider));

  for (let round = 1; round <= setting('BENCH_ROUNDS', 10); round += 1) {
    for (const deployment of deployments) {
      during = `round ${round}, ${deployment.name}`;
      await deployment.roll();
    }
    console.log(`round ${round}: ${load.total()} requests, ${load.failures.length} failed`);
  }
  while (load.total() < minRequests) await pause(200);
  const exitCodes = (await Promise.all(deployments.map((deployment) => deployment.exitCodes()))).flat();
  await load.end(clients);
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const deployment of deployments.toReversed()) await deployment.stop();

  for (const [what, count] of [...load.counts].sort()) console.log(`${what.padEnd(10)} ${count}`);
  for (const { name, reason, during: when } of load.failures.slice(0, 40))
    console.log(`FAILED ${name} (${when}): ${reason}`);
  const ms = (share: number) => `${quantile(load.durations, share).toFixed(1)} ms`;
  console.log(`${load.total()} requests in ${seconds.toFixed(0)} s, p50 ${ms(0.5)}, p99 ${ms(0.99)}, slowest ${ms(1)}`);
  bench.check('failed requests', load.failures.length, { atMost: 0 });
  const gracefully = exitCodes.filter((code) => code === 0).length;
  bench.check('processes replaced, exited with 0', gracefully, { atLeast: exitCodes.length });
});

/** Reads the tokens and ids of the seed data that the clients need. */
async function readSeedData(gateway: string, provider: string) {
  const admin = await signIn(provider, 'admin@lms.test');
  const learner = await signIn(provider, 'learner@lms.test');
  const read = async (path: string, token?: string) => Array.from(Object(await readData(gateway, path, token)), Object);
  const [level] = await read('/education/levels');
  const enrolled = (await read('/enrollment', learner)).find(({ status }) => status === 'APPROVED');
  for (const { id } of await read(`/education/subjects/${enrolled?.subjectId}/topics`)) {
    const video = await fetch(`${gateway}/api/education/topics/${id}/video`, {
      headers: { authorization: `Bearer ${learner}` },
    });
    const videoBytes = (await video.arrayBuffer()).byteLength;
    if (video.ok) return { admin, learner, levelId: String(level.id), topicId: String(id), videoBytes };
  }
  throw new Error('no topic of the learner has a video');
}
