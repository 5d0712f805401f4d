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

t.test('who is anonymized is named by no subject any more, by no e-mail they ever had', async (t) => {
  const admin = await adminToken();
  const ann = await newcomer('ann');
  const user = `/api/users/${(await call('/api/auth/profile', { token: ann.token })).body.data.id}`;
  const { grade, subject } = await newCourse(admin, ann);
  const create = (name: string, mentor: object) =>
    call('/api/admin/education/subjects', {
      method: 'POST',
      token: admin,
      json: { name, description: 'd', gradeId: grade.id, ...mentor },
      headers: { 'idempotency-key': `${name} of ${ann.identityProviderId}` },
    });
  const byFormerEmail = { mentorEmail: ann.email.toUpperCase() };
  const named = [
    subject,
    (await create('By a former e-mail', byFormerEmail)).body.data,
    (await create("Beside another's id", { mentorId: 'another-mentor', mentorEmail: ann.email })).body.data,
  ];
  const email = `later-${ann.email}`;
  const { status } = await fetch(new URL(`/users/${ann.identityProviderId}`, providerUrl), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  t.equal(status, 200);
  await until(async () => (await call(user, { token: admin })).body.data.email === email);
  named.push((await create('By the present e-mail', { mentorEmail: email })).body.data);

  t.equal((await call(`${user}/anonymize`, { method: 'POST', token: admin })).status, 200);
  const read = async () =>
    JSON.stringify(
      await Promise.all(
        named.map(async ({ id }) => (await call(`/api/admin/education/subjects/${id}`, { token: admin })).body.data),
      ),
    );
  const isNamed = (text: string) => text.includes(ann.identityProviderId) || text.includes(ann.email);
  await until(async () => !isNamed(await read()));
  t.notOk(isNamed(await read()));
  t.match(JSON.parse(await read())[2], { mentorId: 'another-mentor', mentorEmail: null });
  const again = await create('By a former e-mail', byFormerEmail);
  t.equal(again.headers.get('idempotency-replayed'), 'true');
  t.notOk(isNamed(JSON.stringify(again.body)), 'a replay does not name them either');
});

async function until(holds: () => Promise<boolean>) {
  const deadline = Date.now() + 30_000;
  while (!(await holds()) && Date.now() < deadline) await pause(50);
}
