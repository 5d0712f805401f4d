import t from 'tap';
import { adminToken, call, newCourse, newcomer, providerUrl, readStackFile } from './system.ts';

const whole = async (token: string) => {
  const { status } = await fetch(new URL('/healthz', providerUrl));
  const answers = await Promise.all([
    call('/api/education/levels', { headers: { 'cache-control': 'no-cache' } }),
    call('/api/auth/profile', { token }),
    call('/api/enrollment', { token }),
    call('/api/users', { token }),
  ]);
  return [status, ...answers.map((answer) => answer.status)];
};

/** Asks until everything answers again; the statuses of the last try. */
async function wholeAgain(token: string, deadline: number): Promise<number[]> {
  for (;;) {
    const statuses = await whole(token).catch(() => [0]);
    if (statuses.every((status) => status === 200) || Date.now() > deadline) return statuses;
  }
}

// One part after the other: the test is about each of them, and they share the system.
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
  t.test(`when ${part} is killed, the system is whole again`, async (t) => {
    const token = await adminToken();
    t.strictSame(await whole(token), [200, 200, 200, 200, 200], 'it is whole before');
    const before = (await readStackFile())[part];
    if (!before) throw new Error(`${part} is not in stack.json`);
    process.kill(before.pid, 'SIGKILL');
    const deadline = Date.now() + 60_000;
    while ((await readStackFile())[part]?.pid === before.pid && Date.now() < deadline);
    t.strictSame(await wholeAgain(token, deadline), [200, 200, 200, 200, 200]);
    t.not((await readStackFile())[part]?.pid, before.pid, 'another process has taken over');
  });

t.test('what happened while NATS was away is told when it is back', async (t) => {
  const admin = await adminToken();
  const person = await newcomer('event');
  const { body } = await call('/api/auth/profile', { token: person.token });
  const { nats } = await readStackFile();
  if (!nats) throw new Error('nats is not in stack.json');
  process.kill(nats.pid, 'SIGKILL');
  t.equal(
    (await call(`/api/users/${body.data.id}/roles`, { method: 'POST', token: admin, json: { role: 'MENTOR' } })).status,
    201,
  );
  const { subject } = await newCourse(admin, person);
  t.match(subject, { mentorId: person.identityProviderId });
  const deadline = Date.now() + 30_000;
  const roles = async () => (await call('/api/auth/profile', { token: person.token })).body.data.roles;
  while (!(await roles()).includes('MENTOR') && Date.now() < deadline);
  t.strictSame((await roles()).sort(), ['LEARNER', 'MENTOR']);
});
