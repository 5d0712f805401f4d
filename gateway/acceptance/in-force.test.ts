import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { type Answer, adminToken, call, newCourse, newcomer, providerUrl } from './system.ts';

/** Asks as somebody who keeps on asking (fifty times a second, for a month has its quota), until the answer is another one than before; and how many that took. */
async function untilRefused(token: string): Promise<{ refusal: Answer; answered: number }> {
  const deadline = Date.now() + 30_000;
  for (let answered = 0; ; answered += 1) {
    const answer = await call('/api/enrollment', { token });
    if (answer.status !== 200 || Date.now() > deadline) return { refusal: answer, answered };
    await pause(20);
  }
}

t.test('a suspension ends a stream of requests, everywhere, and its end lets them through again', async (t) => {
  const admin = await adminToken();
  const person = await newcomer('suspended');
  const { body } = await call('/api/auth/profile', { token: person.token });
  const user = `/api/users/${body.data.id}`;
  const streaming = untilRefused(person.token);
  const suspended = await call(user, {
    method: 'PUT',
    token: admin,
    json: { status: 'SUSPENDED', statusReason: 'Misuse' },
  });
  t.match(suspended, { status: 200, body: { data: { status: 'SUSPENDED', statusReason: 'Misuse' } } });
  const { refusal, answered } = await streaming;
  t.match(refusal, { status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }, `after ${answered} answers`);
  for (const path of ['/api/education/levels', '/api/auth/profile', '/api/s3/document/stream?key=none'])
    t.match(await call(path, { token: person.token }), { status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }, path);

  t.match(await call(user, { method: 'PUT', token: admin, json: { status: 'ACTIVE' } }), { status: 200 });
  const deadline = Date.now() + 30_000;
  while ((await call('/api/auth/profile', { token: person.token })).status !== 200 && Date.now() < deadline)
    await pause(20);
  t.equal((await call('/api/auth/profile', { token: person.token })).status, 200);
});

t.test('an account that the provider has deleted is refused', async (t) => {
  const person = await newcomer('deleted');
  t.equal((await call('/api/auth/profile', { token: person.token })).status, 200);
  const streaming = untilRefused(person.token);
  const { status } = await fetch(new URL(`/users/${person.identityProviderId}`, providerUrl), { method: 'DELETE' });
  t.equal(status, 200);
  t.match((await streaming).refusal, { status: 403, body: { code: 'ACCOUNT_INACTIVE' } });
});

t.test('a mentor who is one no longer loses the subjects', async (t) => {
  const admin = await adminToken();
  const mentor = await newcomer('former-mentor');
  const { body } = await call('/api/auth/profile', { token: mentor.token });
  const roles = `/api/users/${body.data.id}/roles`;
  t.equal((await call(roles, { method: 'POST', token: admin, json: { role: 'MENTOR' } })).status, 201);
  const { subject } = await newCourse(admin, mentor);
  t.equal((await call(roles, { method: 'DELETE', token: admin, json: { role: 'MENTOR' } })).status, 200);
  const managed = () => call(`/api/admin/education/subjects/${subject.id}`, { token: admin });
  const deadline = Date.now() + 30_000;
  while ((await managed()).body.data.mentorId !== null && Date.now() < deadline);
  t.match((await managed()).body.data, { mentorId: null, mentorEmail: null });
});
