/**
 * Replaces every process in turn, again and again, while people work. Exits with 1 if a single request failed.
 * BENCH_ROUNDS (10), BENCH_REQUESTS (20000, the least), SHUTDOWN_DELAY (5 seconds).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLoad, documentForm, type Load } from './rolling/load.ts';
import { lookAround } from './rolling/school.ts';
import { standUp } from './rolling/stand-up.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
const fewest = Number(process.env.BENCH_REQUESTS ?? 20_000);
const leaving = { SHUTDOWN_DELAY: process.env.SHUTDOWN_DELAY ?? '5', SHUTDOWN_TIMEOUT: '20' };

type School = Awaited<ReturnType<typeof lookAround>>;

function letPeopleWork({ ask, work }: Load, { admin, learner, levelId, topicId, videoBytes }: School) {
  const topic = `/education/topics/${topicId}`;
  const visitor = async () => {
    await ask('tree', { path: '/education/tree' });
    await ask('grades', { path: `/education/levels/${levelId}/grades` });
    await ask('search', { path: '/education/search?q=numbers' });
  };
  const reader = async () => {
    await ask('topic', { path: topic, token: learner });
    await ask('profile', { path: '/auth/profile', token: learner });
    await ask('progress', { path: '/learning/progress', token: learner });
    const position = { positionSeconds: 3, durationSeconds: 9 };
    await ask('position', {
      method: 'PUT',
      path: `/learning/topics/${topicId}/position`,
      token: learner,
      body: position,
    });
  };
  const writer = () =>
    ask('note', {
      method: 'POST',
      path: `/learning/topics/${topicId}/notes`,
      token: learner,
      body: { content: 'Carry the one.' },
    });
  const viewer = () => ask('video', { path: `${topic}/video`, token: learner, bytes: videoBytes });
  const teacher = () =>
    ask('upload', { method: 'POST', path: '/s3/document/upload', token: admin, form: documentForm(topicId, 300_000) });
  return [
    ...Array.from({ length: 3 }, () => work(visitor, 100)),
    ...Array.from({ length: 3 }, () => work(reader, 100)),
    ...Array.from({ length: 2 }, () => work(writer, 200)),
    work(viewer, 300),
    work(teacher, 1_000),
  ];
}

const directory = await mkdtemp(join(tmpdir(), 'lms-rolling-'));
const system = await standUp(directory, leaving, console.log);
let during = 'the start';
const load = createLoad(system.gateway, () => during);
const startedAt = performance.now();
const working = letPeopleWork(load, await lookAround(system.gateway, system.provider));

for (let round = 1; round <= rounds; round += 1) {
  for (const deployment of system.deployments) {
    during = `round ${round}, ${deployment.name}`;
    await deployment.roll();
  }
  console.log(`round ${round}: ${load.total()} requests, ${load.failures.length} failed`);
}
while (load.total() < fewest) await pause(200);
const endings = (await Promise.all(system.deployments.map((deployment) => deployment.endings()))).flat();
await load.end(working);
const seconds = (performance.now() - startedAt) / 1_000;
await system.stop();

const sorted = load.took.toSorted((one, other) => one - other);
const quantile = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
for (const [what, count] of [...load.counts].sort()) console.log(`${what.padEnd(10)} ${count}`);
for (const { what, why, during: when } of load.failures.slice(0, 40)) console.log(`FAILED ${what} (${when}): ${why}`);
const gracefully = endings.filter((code) => code === 0).length;
console.log(`${load.total()} requests in ${seconds.toFixed(0)} s, ${load.failures.length} failed`);
console.log(`${endings.length} processes replaced, ${gracefully} of them ended with 0`);
console.log(`p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, slowest ${quantile(0.99999)} ms`);
if (load.failures.length === 0) await rm(directory, { recursive: true });
else console.log(`logs: ${join(directory, 'logs')}`);
process.exit(load.failures.length === 0 && gracefully === endings.length ? 0 : 1);
