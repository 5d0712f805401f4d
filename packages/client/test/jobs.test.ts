import t from 'tap';
import { type Job, untilFinished } from '../src/jobs.ts';

const started: Job = { id: '1', finishedAt: null };

t.test('a job is read until it has ended, also if some of the requests fail', async (t) => {
  const responses = [started, new Error('connection lost'), { ...started, finishedAt: '2026-11-24T12:00:00Z' }];
  const read = async () => {
    const response = responses.shift() ?? started;
    if (response instanceof Error) throw response;
    return response;
  };
  let seen = 0;
  const finished = await untilFinished(started, read, { onProgress: () => (seen += 1) });
  t.equal(finished.finishedAt, '2026-11-24T12:00:00Z');
  t.ok(seen >= 2, 'the progress is reported');
});

t.test('requests are repeated for a while only', async (t) => {
  let requests = 0;
  const read = () => Promise.reject(new Error(`request ${++requests}`));
  await t.rejects(untilFinished(started, read, { retryMs: 200 }), { message: /^request \d/ });
  t.ok(requests > 1);
});
