/**
 * Replaces every process in turn, several times, while clients send requests. Exits with 1 if any request failed.
 * BENCH_ROUNDS (10), BENCH_REQUESTS (20000, the minimum), SHUTDOWN_DELAY (5 seconds).
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databases } from 'local/databases';
import { startLocalStack } from './harness/local-stack.ts';
import { quantile } from './harness/rounds.ts';
import { createDeployment, type Deployment } from './rolling/deployment.ts';
import { createLoad, documentForm, type Load } from './rolling/load.ts';
import { readSeedData } from './rolling/read-seed-data.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
const minRequests = Number(process.env.BENCH_REQUESTS ?? 20_000);
const replaced = [...databases, 'gateway'];
const shutdownSettings = { SHUTDOWN_DELAY: process.env.SHUTDOWN_DELAY ?? '5', SHUTDOWN_TIMEOUT: '20' };

type SeedData = Awaited<ReturnType<typeof readSeedData>>;

function startClients({ send, repeat }: Load, { admin, learner, levelId, topicId, videoBytes }: SeedData) {
  const topic = `/education/topics/${topicId}`;
  const visitor = async () => {
    await send('tree', { path: '/education/tree' });
    await send('grades', { path: `/education/levels/${levelId}/grades` });
    await send('search', { path: '/education/search?q=numbers' });
  };
  const reader = async () => {
    await send('topic', { path: topic, token: learner });
    await send('profile', { path: '/auth/profile', token: learner });
    await send('progress', { path: '/learning/progress', token: learner });
    const position = { positionSeconds: 3, durationSeconds: 9 };
    await send('position', {
      method: 'PUT',
      path: `/learning/topics/${topicId}/position`,
      token: learner,
      body: position,
    });
  };
  const writer = () =>
    send('note', {
      method: 'POST',
      path: `/learning/topics/${topicId}/notes`,
      token: learner,
      body: { content: 'Carry the one.' },
    });
  const viewer = () => send('video', { path: `${topic}/video`, token: learner, bytes: videoBytes });
  const teacher = () =>
    send('upload', { method: 'POST', path: '/s3/document/upload', token: admin, form: documentForm(topicId, 300_000) });
  return [
    ...Array.from({ length: 3 }, () => repeat(visitor, 100)),
    ...Array.from({ length: 3 }, () => repeat(reader, 100)),
    ...Array.from({ length: 2 }, () => repeat(writer, 200)),
    repeat(viewer, 300),
    repeat(teacher, 1_000),
  ];
}

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
