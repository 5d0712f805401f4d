import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { adminToken, type CallResponse, call, createCourse, createUser, providerUrl } from './system.ts';

/** Sends requests until one does not return 200, at most fifty a second because of the quota, and counts those that did. */
async function untilRejected(token: string): Promise<{ rejection: CallResponse; allowed: number }> {
  const deadline = Date.now() + 30_000;
  for (let allowed = 0; ; allowed += 1) {
    const response = await call('/api/enrollment', { token });
    if (response.status !== 200 || Date.now() > deadline) return { rejection: response, allowed };
    await pause(20);
  }
}

t.test('a suspension takes effect on every route, and so does its end', async (t) => {
  const admin = await adminToken();
  const user = await createUser('suspended');
  const { body } = await call('/api/auth/profile', { token: user.token });
  const userPath = `/api/users/${body.data.id}`;
  const streaming = untilRejected(user.token);
  const suspended = await call(userPath, {
    method: 'PUT',
    token: admin,
    json: { status: 'SUSPENDED', statusReason: 'Misuse' },
  });
  t.match(suspended, { status: 200, body: { data: { status: 'SUSPENDED', statusReason: 'Misuse' } } });
  const { rejection, allowed } = await streaming;
  t.match(rejection, { status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }, `after ${allowed} responses`);
  for (const path of ['/api/education/levels', '/api/auth/profile', '/api/s3/document/stream?key=none'])
    t.match(await call(path, { token: user.token }), { status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }, path);

  t.match(await call(userPath, { method: 'PUT', token: admin, json: { status: 'ACTIVE' } }), { status: 200 });
  const deadline = Date.now() + 30_000;
  while ((await call('/api/auth/profile', { token: user.token })).status !== 200 && Date.now() < deadline)
    await pause(20);
  t.equal((await call('/api/auth/profile', { token: user.token })).status, 200);
});

t.test('a user whose account was deleted at the provider is rejected', async (t) => {
  const user = await createUser('deleted');
  t.equal((await call('/api/auth/profile', { token: user.token })).status, 200);
  const streaming = untilRejected(user.token);
  const { status } = await fetch(new URL(`/users/${user.identityProviderId}`, providerUrl), { method: 'DELETE' });
  t.equal(status, 200);
  t.match((await streaming).rejection, { status: 403, body: { code: 'ACCOUNT_INACTIVE' } });
});

t.test('a user who loses the mentor role is removed from their subjects', async (t) => {
  const admin = await adminToken();
  const mentor = await createUser('former-mentor');
  const { body } = await call('/api/auth/profile', { token: mentor.token });
  const roles = `/api/users/${body.data.id}/roles`;
  t.equal((await call(roles, { method: 'POST', token: admin, json: { role: 'MENTOR' } })).status, 201);
  const { subject } = await createCourse(admin, mentor);
  t.equal((await call(roles, { method: 'DELETE', token: admin, json: { role: 'MENTOR' } })).status, 200);
  const managed = () => call(`/api/admin/education/subjects/${subject.id}`, { token: admin });
  const deadline = Date.now() + 30_000;
  while ((await managed()).body.data?.mentorId !== null && Date.now() < deadline) await pause(20);
  t.match((await managed()).body.data, { mentorId: null, mentorEmail: null });
});

t.test('after an anonymization no subject contains the id or a present or former e-mail of the user', async (t) => {
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
  await until(async () => (await call(userPath, { token: admin })).body.data?.email === email);
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
  t.notOk(isNamed(JSON.stringify(again.body)), 'the replayed response does not contain them either');
});

async function until(holds: () => Promise<boolean>) {
  const deadline = Date.now() + 30_000;
  while (!(await holds()) && Date.now() < deadline) await pause(50);
}
