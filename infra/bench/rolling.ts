/**
 * Replaces every process in turn, several times, while clients send requests. Exits with 1 if any request failed.
 * BENCH_ROUNDS (10), BENCH_REQUESTS (20000, the minimum), SHUTDOWN_DELAY (5 seconds).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { databases } from 'local/databases';
import { printTable, quantile } from './harness/results.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { startClients } from './rolling/clients.ts';
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
  const startedAt = performance.now();
  const clients = await startClients(gateway, provider, () => during);
  const failures = () => clients.sent.filter(({ failure }) => failure !== undefined);

  for (let round = 1; round <= setting('BENCH_ROUNDS', 10); round += 1) {
    for (const deployment of deployments) {
      during = `round ${round}, ${deployment.name}`;
      await deployment.roll();
    }
    console.log(`round ${round}: ${clients.sent.length} requests, ${failures().length} failed`);
  }
  while (clients.sent.length < minRequests) await pause(200);
  const exitCodes = (await Promise.all(deployments.map((deployment) => deployment.exitCodes()))).flat();
  await clients.end();
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const deployment of deployments.toReversed()) await deployment.stop();

  for (const { name, failure, during: when } of failures().slice(0, 40))
    console.log(`FAILED ${name} (${when}): ${failure}`);
  const names = [...new Set(clients.sent.map(({ name }) => name))].sort();
  const rows = names.map((name) => [name, clients.sent.filter((one) => one.name === name).length]);
  printTable([`requests in ${seconds.toFixed(0)} s`, String(clients.sent.length)], rows);
  const durations = clients.sent.map(({ durationMs }) => durationMs);
  const times = [0.5, 0.99, 1].map((share) => `${quantile(durations, share).toFixed(1)} ms`);
  console.log(`\np50, p99 and slowest: ${times.join(', ')}`);
  bench.check('failed requests', failures().length, { atMost: 0 });
  const gracefully = exitCodes.filter((code) => code === 0).length;
  bench.check('processes replaced, exited with 0', gracefully, { atLeast: exitCodes.length });
});
