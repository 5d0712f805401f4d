import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { startJob } from '../src/start-job.ts';

const logger = pino({ level: 'silent' });
const hourMs = 3_600_000;

t.test('a job runs at once and on demand, but not after stop', async (t) => {
  let runs = 0;
  const job = startJob({ name: 'count', intervalMs: hourMs, run: async () => (runs += 1) }, logger);
  await waitFor(() => runs === 1);
  job.runNow();
  await waitFor(() => runs === 2);
  await job.stop();
  job.runNow();
  await job.stop();
  t.equal(runs, 2);
});

t.test('a failed job is retried before its interval, and runs never overlap', async (t) => {
  let [runs, running, maxRunning] = [0, 0, 0];
  const run = async () => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    runs += 1;
    await new Promise(setImmediate);
    running -= 1;
    if (runs === 1) throw new Error('not yet');
  };
  const job = startJob({ name: 'fail once', intervalMs: hourMs, run }, logger);
  job.runNow();
  await waitFor(() => runs >= 2);
  await job.stop();
  t.equal(maxRunning, 1);
});

t.test('stop waits for the current run', async (t) => {
  let finish: () => void = () => undefined;
  let ended = false;
  const run = async () => {
    await new Promise((resolve) => {
      finish = () => void resolve(undefined);
    });
    ended = true;
  };
  const job = startJob({ name: 'slow', intervalMs: hourMs, run }, logger);
  const stopped = job.stop();
  finish();
  await stopped;
  t.ok(ended);
});
