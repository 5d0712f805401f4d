/**
 * Replaces every process in turn, several times, while clients send requests. Exits with 1 if any request failed.
 * BENCH_ROUNDS (10), BENCH_REQUESTS (20000, the minimum), SHUTDOWN_DELAY (5 seconds).
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databases } from 'local/databases';
import { startLocalStack } from './harness/local-stack.ts';
import { quantile } from './harness/rounds.ts';
import { startClients } from './rolling/clients.ts';
import { createDeployment, type Deployment } from './rolling/deployment.ts';
import { createLoad } from './rolling/load.ts';
import { readSeedData } from './rolling/read-seed-data.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
const minRequests = Number(process.env.BENCH_REQUESTS ?? 20_000);
const replaced = [...databases, 'gateway'];
const shutdownSettings = { SHUTDOWN_DELAY: process.env.SHUTDOWN_DELAY ?? '5', SHUTDOWN_TIMEOUT: '20' };

const deployments: Deployment[] = [];
const system = await startLocalStack({
  start(part, logDirectory) {
    // It serves no requests.
    if (part.name === 'media-worker') return Promise.resolve();
    if (!replaced.includes(part.name)) return undefined;
    const deployment = createDeployment(part, shutdownSettings, join(logDirectory, `${part.name}.log`));
    return deployment.then((created) => {
      deployments.push(created);
      return created.start();
    });
  },
});
let during = 'the start';
const load = createLoad(system.gateway, () => during);
const startedAt = performance.now();
const clients = startClients(load, await readSeedData(system.gateway, system.provider));

for (let round = 1; round <= rounds; round += 1) {
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
await system.stop();

for (const [what, count] of [...load.counts].sort()) console.log(`${what.padEnd(10)} ${count}`);
for (const { name, reason, during: when } of load.failures.slice(0, 40))
  console.log(`FAILED ${name} (${when}): ${reason}`);
const gracefully = exitCodes.filter((code) => code === 0).length;
const ms = (share: number) => `${quantile(load.durations, share).toFixed(1)} ms`;
console.log(`${load.total()} requests in ${seconds.toFixed(0)} s, ${load.failures.length} failed`);
console.log(`${exitCodes.length} processes replaced, ${gracefully} of them exited with 0`);
console.log(`p50 ${ms(0.5)}, p99 ${ms(0.99)}, slowest ${ms(1)}`);
if (load.failures.length === 0) await system.remove();
else console.log(`logs: ${system.logDirectory}`);
process.exit(load.failures.length === 0 && gracefully === exitCodes.length ? 0 : 1);
