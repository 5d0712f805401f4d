import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { adminToken, call, createCourse, createUser } from './system.ts';

const topics = 1_000;
const atOnce = 20;

t.test('a level with a thousand topics is deleted, and restored with the former state of each', async (t) => {
  const admin = await adminToken();
  const learner = await createUser('learner');
  const { level, subject } = await createCourse(admin);
  const create = (number: number) =>
    call('/api/admin/education/topics', {
      method: 'POST',
      token: admin,
      json: {
        name: `Topic ${number}`,
        description: 'd',
        content: 'c',
        subjectId: subject.id,
        isActive: number % 10 !== 0,
      },
    });
  for (let first = 1; first < topics; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, topics - first) }, (_, index) => first + index);
    const responses = await Promise.all(numbers.map(create));
    if (responses.some(({ status }) => status !== 201))
      t.fail(`${responses.find(({ status }) => status !== 201)?.status}`);
  }
  const enrolled = await call('/api/enrollment/request', {
    method: 'POST',
    token: learner.token,
    json: { subjectId: subject.id },
  });
  const enrollment = `/api/enrollment/${enrolled.body.data.id}`;
  t.equal(
    (await call(`/api/admin/enrollment/${enrolled.body.data.id}/approve`, { method: 'PUT', token: admin })).status,
    200,
  );

  const path = `/api/admin/education/levels/${level.id}`;
  const counted = { grades: 1, subjects: 1, topics };
  t.match(await call(`${path}?dryRun=true`, { method: 'DELETE', token: admin }), {
    status: 200,
    body: { data: { deleted: counted } },
  });
  t.match(await call(path, { method: 'DELETE', token: admin }), {
    status: 200,
    body: { data: { id: level.id, deleted: counted } },
  });
  t.equal((await call(path, { method: 'DELETE', token: admin })).status, 404);
  t.equal((await call(`/api/education/subjects/${subject.id}/topics`)).status, 404);
  await until(async () => (await call(enrollment, { token: learner.token })).body.data?.status === 'REVOKED');

  t.equal((await call(`${path}/restore`, { method: 'POST', token: admin })).status, 200);
  t.match(await call(`${path}/restore`, { method: 'POST', token: admin }), {
    status: 409,
    body: { code: 'INVALID_STATE' },
  });
  const active = async () =>
    (await call(`/api/education/subjects/${subject.id}/topics?limit=1`)).body.pagination?.total;
  await until(async () => (await active()) === topics - 99);
  t.equal(await active(), topics - 99, 'inactive topics are inactive again');
  await until(async () => (await call(enrollment, { token: learner.token })).body.data?.status === 'APPROVED');
  t.equal(
    (await call(enrollment, { token: learner.token })).body.data.status,
    'APPROVED',
    'the enrollment was restored',
  );
});

// Not too often, because of the monthly quota.
async function until(holds: () => Promise<boolean>) {
  const deadline = Date.now() + 60_000;
  while (!(await holds()) && Date.now() < deadline) await pause(100);
}
