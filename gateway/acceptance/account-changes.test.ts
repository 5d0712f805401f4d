import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { adminToken, type CallResponse, call, createCourse, createUser, providerUrl } from './system.ts';

/** Asks as somebody who keeps on asking (fifty times a second, for a month has its quota), until the answer is another one than before; and how many that took. */
async function untilRefused(token: string): Promise<{ refusal: CallResponse; allowed: number }> {
  const deadline = Date.now() + 30_000;
  for (let allowed = 0; ; allowed += 1) {
    const response = await call('/api/enrollment', { token });
    if (response.status !== 200 || Date.now() > deadline) return { refusal: response, allowed };
    await pause(20);
  }
}

t.test('a suspension ends a stream of requests, everywhere, and its end lets them through again', async (t) => {
  const admin = await adminToken();
  const user = await createUser('suspended');
  const { body } = await call('/api/auth/profile', { token: user.token });
  const userPath = `/api/users/${body.data.id}`;
  const streaming = untilRefused(user.token);
  const suspended = await call(userPath, {
    method: 'PUT',
    token: admin,
    json: { status: 'SUSPENDED', statusReason: 'Misuse' },
  });
  t.match(suspended, { status: 200, body: { data: { status: 'SUSPENDED', statusReason: 'Misuse' } } });
  const { refusal, allowed } = await streaming;
  t.match(refusal, { status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }, `after ${allowed} answers`);
  for (const path of ['/api/education/levels', '/api/auth/profile', '/api/s3/document/stream?key=none'])
    t.match(await call(path, { token: user.token }), { status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }, path);

  t.match(await call(userPath, { method: 'PUT', token: admin, json: { status: 'ACTIVE' } }), { status: 200 });
  const deadline = Date.now() + 30_000;
  while ((await call('/api/auth/profile', { token: user.token })).status !== 200 && Date.now() < deadline)
    await pause(20);
  t.equal((await call('/api/auth/profile', { token: user.token })).status, 200);
});

t.test('an account that the provider has deleted is refused', async (t) => {
  const user = await createUser('deleted');
  t.equal((await call('/api/auth/profile', { token: user.token })).status, 200);
  const streaming = untilRefused(user.token);
  const { status } = await fetch(new URL(`/users/${user.identityProviderId}`, providerUrl), { method: 'DELETE' });
  t.equal(status, 200);
  t.match((await streaming).refusal, { status: 403, body: { code: 'ACCOUNT_INACTIVE' } });
});

t.test('a mentor who is one no longer loses the subjects', async (t) => {
  const admin = await adminToken();
  const mentor = await createUser('former-mentor');
  const { body } = await call('/api/auth/profile', { token: mentor.token });
  const roles = `/api/users/${body.data.id}/roles`;
  t.equal((await call(roles, { method: 'POST', token: admin, json: { role: 'MENTOR' } })).status, 201);
  const { subject } = await createCourse(admin, mentor);
  t.equal((await call(roles, { method: 'DELETE', token: admin, json: { role: 'MENTOR' } })).status, 200);
  const managed = () => call(`/api/admin/education/subjects/${subject.id}`, { token: admin });
  const deadline = Date.now() + 30_000;
  while ((await managed()).body.data.mentorId !== null && Date.now() < deadline);
  t.match((await managed()).body.data, { mentorId: null, mentorEmail: null });
});

t.test('who is anonymized is named by no subject any more, by no e-mail they ever had', async (t) => {
  const admin = await adminToken();
  const ann = await createUser('ann');
  const userPath = `/api/users/${(await call('/api/auth/profile', { token: ann.token })).body.data.id}`;
  const { grade, subject } = await createCourse(admin, ann);
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
  await until(async () => (await call(userPath, { token: admin })).body.data.email === email);
  named.push((await create('By the present e-mail', { mentorEmail: email })).body.data);

  t.equal((await call(`${userPath}/anonymize`, { method: 'POST', token: admin })).status, 200);
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
