import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { adminToken, call, createUser, unique } from './system.ts';

const topics = 1_000;

/** Imports a level with one subject. */
async function importLevel(admin: string) {
  const name = unique('Level');
  const text = { description: 'd', content: 'c' };
  const imported = {
    name,
    description: 'd',
    grades: [
      {
        name: 'Grade',
        level: 'primary',
        subjects: [
          {
            name: 'Subject',
            description: 'd',
            topics: Array.from({ length: topics }, (_, index) => ({
              name: `Topic ${index}`,
              ...text,
              isActive: index === 0 || index % 10 !== 0,
            })),
          },
        ],
      },
    ],
  };
  const started = await call('/api/admin/education/imports', {
    method: 'POST',
    token: admin,
    json: { version: 1, levels: [imported] },
  });
  const path = `/api/admin/education/imports/${started.body.data.id}`;
  const read = async () => (await call(path, { token: admin })).body?.data;
  await until(async () => typeof (await read())?.finishedAt === 'string');
  const { status, issues } = await read();
  if (status !== 'completed') throw new Error(`${status} ${JSON.stringify(issues)}`);
  const { body } = await call('/api/education/tree', { headers: { 'cache-control': 'no-cache' } });
  const level = body.data.find((one: { name: string }) => one.name === name);
  return { level, subject: level.grades[0].subjects[0] };
}

t.test('a level with a thousand topics is deleted, and restored with the former state of each', async (t) => {
  const admin = await adminToken();
  const learner = await createUser('learner');
  const { level, subject } = await importLevel(admin);
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
