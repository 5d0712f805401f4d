import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { adminToken, call, createCourse, createUser, providerUrl, readStackFile } from './system.ts';

// Without a pause, the requests would take the processor from the processes that start.
const pollMs = 50;

const statusesOf = async (token: string) => {
  const { status } = await fetch(new URL('/healthz', providerUrl));
  const responses = await Promise.all([
    call('/api/education/levels', { headers: { 'cache-control': 'no-cache' } }),
    call('/api/auth/profile', { token }),
    call('/api/enrollment', { token }),
    call('/api/users', { token }),
  ]);
  return [status, ...responses.map((response) => response.status)];
};

/** Sends requests until all return 200, and returns the last status codes. */
async function untilAllRespond(token: string, deadline: number): Promise<number[]> {
  for (;;) {
    const statuses = await statusesOf(token).catch(() => [0]);
    if (statuses.every((status) => status === 200) || Date.now() > deadline) return statuses;
    await sleep(pollMs);
  }
}

// One part after the other, because they share the system.
for (const part of [
  'identity',
  'content',
  'media',
  'enrollment',
  'gateway',
  'postgres',
  'nats',
  'redis',
  'identityProvider',
])
  t.test(`the system recovers when ${part} is killed`, async (t) => {
    const token = await adminToken();
    t.strictSame(await untilAllRespond(token, Date.now() + 30_000), [200, 200, 200, 200, 200], 'it works before');
    const before = (await readStackFile())[part];
    if (!before) throw new Error(`${part} is not in stack.json`);
    process.kill(before.pid, 'SIGKILL');
    const deadline = Date.now() + 60_000;
    while ((await readStackFile())[part]?.pid === before.pid && Date.now() < deadline) await sleep(pollMs);
    t.strictSame(await untilAllRespond(token, deadline), [200, 200, 200, 200, 200]);
    t.not((await readStackFile())[part]?.pid, before.pid, 'the process was replaced');
  });

t.test('events are published after an outage of NATS', async (t) => {
  const admin = await adminToken();
  const user = await createUser('event');
  const { body } = await call('/api/auth/profile', { token: user.token });
  const { nats } = await readStackFile();
  if (!nats) throw new Error('nats is not in stack.json');
  process.kill(nats.pid, 'SIGKILL');
  t.equal(
    (await call(`/api/users/${body.data.id}/roles`, { method: 'POST', token: admin, json: { role: 'MENTOR' } })).status,
    201,
  );
  const { subject } = await createCourse(admin, user);
  t.match(subject, { mentorId: user.identityProviderId });
  const deadline = Date.now() + 30_000;
  const roles = async () => (await call('/api/auth/profile', { token: user.token })).body.data?.roles ?? [];
  while (!(await roles()).includes('MENTOR') && Date.now() < deadline) await sleep(pollMs);
  t.strictSame((await roles()).sort(), ['LEARNER', 'MENTOR']);
});

/** How long a service waits for another. */
const requestDeadlineMs = 2_000;

t.test('while content is frozen, repeatable requests that wait for it do not slow down other users', async (t) => {
  const [{ subject }, asking, reading] = [
    await createCourse(await adminToken()),
    await createUser('asking'),
    await createUser('reading'),
  ];
  const read = () => call('/api/enrollment', { token: reading.token });
  t.equal((await read()).status, 200);
  const { content } = await readStackFile();
  if (!content) throw new Error('content is not in stack.json');
  process.kill(content.pid, 'SIGSTOP');
  t.teardown(() => process.kill(content.pid, 'SIGCONT'));
  const statuses: Promise<number>[] = [];
  const requestEnrollment = async (key: string) => {
    const headers = { 'idempotency-key': key };
    const json = { subjectId: subject.id };
    return (await call('/api/enrollment/request', { method: 'POST', token: asking.token, json, headers })).status;
  };
  const readMs: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    statuses.push(requestEnrollment(`frozen-${round}`));
    const startedAt = performance.now();
    t.equal((await read()).status, 200);
    readMs.push(performance.now() - startedAt);
    await sleep(100);
  }
  process.kill(content.pid, 'SIGCONT');
  // If requests held a connection while they wait, most reads would wait for the ends of several.
  const [median = 0] = readMs.toSorted((one, other) => one - other).slice(readMs.length / 2);
  t.ok(median < requestDeadlineMs, `half of the reads took less than ${median} ms`);
  for (const status of await Promise.all(statuses)) t.ok([201, 409, 503, 504].includes(status), String(status));
});
