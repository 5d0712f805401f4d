import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { expireEnrollments } from '../src/enrollments/expire-enrollments.ts';
import { type TransitionName, transitions } from '../src/enrollments/states.ts';
import { startTestService, type TestService } from './test-service.ts';

const requests = {
  approve: ['PUT', '/api/admin/enrollment'],
  reject: ['PUT', '/api/admin/enrollment'],
  revoke: ['PUT', '/api/admin/enrollment'],
  cancel: ['POST', '/api/enrollment'],
  withdraw: ['POST', '/api/enrollment'],
} as const satisfies Partial<Record<TransitionName, unknown>>;
type Asked = keyof typeof requests;
const asked: Asked[] = ['approve', 'reject', 'revoke', 'cancel', 'withdraw'];

/** How an enrollment gets into each state; expiry both before and after it is swept up. */
const ways: [EnrollmentStatus, (TransitionName | 'time passes')[]][] = [
  ['PENDING', []],
  ['APPROVED', ['approve']],
  ['REJECTED', ['reject']],
  ['CANCELLED', ['cancel']],
  ['WITHDRAWN', ['approve', 'withdraw']],
  ['REVOKED', ['approve', 'revoke']],
  ['EXPIRED', ['approve', 'time passes']],
  ['EXPIRED', ['approve', 'time passes', 'expire']],
];

async function bring(service: TestService, way: (TransitionName | 'time passes')[]) {
  const { learner, enrollment } = await service.request(service.content.addSubject().id);
  const ask = (move: Asked) => {
    const [method, prefix] = requests[move];
    const who = transitions[move].by === 'ADMIN' ? service.admin : learner;
    return service.call(who, method, `${prefix}/${enrollment.id}/${move}`);
  };
  for (const step of way) {
    if (step === 'time passes') await service.letExpire(enrollment.id);
    else if (step === 'expire') await expireEnrollments(service.database.db);
    else await ask(step);
  }
  return { learner, enrollment, ask };
}

for (const [state, way] of ways)
  t.test(
    `from ${state} (by way of ${['request', ...way].join(', ')}) exactly the moves that start there are made`,
    async (t) => {
      const service = await startTestService(t);
      for (const move of asked) {
        const { ask, learner, enrollment } = await bring(service, way);
        const answer = await ask(move);
        const { from, to, by } = transitions[move];
        if (from === state) {
          t.match(
            answer,
            { status: 200, data: { status: to }, body: { message: `Enrollment ${to.toLowerCase()}` } },
            move,
          );
          const actorId = by === 'ADMIN' ? service.admin.userId : learner.userId;
          const isDecision = move === 'approve' || move === 'reject';
          t.match(answer.data, isDecision ? { decidedBy: actorId } : { endedBy: actorId }, `${move} is signed`);
          t.type(isDecision ? answer.data.decidedAt : answer.data.endedAt, 'string', `${move} is dated`);
        } else {
          t.match(answer, { status: 409, body: { code: 'INVALID_STATE', details: { current: state } } }, move);
          const after = await service.call(learner, 'GET', `/api/enrollment/${enrollment.id}`);
          t.equal(after.data.status, state, `${move} changed nothing`);
        }
      }
    },
  );

t.test('time moves those that are approved and past their end, and no others', async (t) => {
  const service = await startTestService(t);
  for (const [state, way] of ways) {
    const { enrollment, learner } = await bring(service, way);
    await service.database
      .sql`update enrollments set expires_at = now() - interval '1 hour' where id = ${enrollment.id}`;
    await expireEnrollments(service.database.db);
    const after = await service.call(learner, 'GET', `/api/enrollment/${enrollment.id}`);
    t.equal(after.data.status, transitions.expire.from === state ? transitions.expire.to : state, state);
  }
});

t.test('nobody makes the moves of others', async (t) => {
  const service = await startTestService(t);
  const { call } = service;
  const { learner, enrollment } = await service.request(service.content.addSubject().id);
  for (const move of asked) {
    const [method, prefix] = requests[move];
    const url = `${prefix}/${enrollment.id}/${move}`;
    const isAdmins = transitions[move].by === 'ADMIN';
    t.equal((await call(null, method, url)).status, 401, `${move} by nobody`);
    t.equal((await call(isAdmins ? learner : service.admin, method, url)).status, isAdmins ? 403 : 404, move);
    t.equal(
      (await call(testPrincipal(['MENTOR', 'LEARNER']), method, url)).status,
      isAdmins ? 403 : 404,
      `${move} by others`,
    );
    const unknown = await call(isAdmins ? service.admin : learner, method, `${prefix}/${createId()}/${move}`);
    t.match(unknown, { status: 404, body: { code: 'NOT_FOUND' } }, `${move} of an unknown one`);
  }
  t.equal((await call(learner, 'GET', `/api/enrollment/${enrollment.id}`)).data.status, 'PENDING');
});

t.test('of a withdrawal and a revocation at once one happens', async (t) => {
  const service = await startTestService(t);
  const { learner, enrollment } = await service.enroll(service.content.addSubject().id);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2
        ? service.call(learner, 'POST', `/api/enrollment/${enrollment.id}/withdraw`)
        : service.call(service.admin, 'PUT', `/api/admin/enrollment/${enrollment.id}/revoke`),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 11);
  const told = await service.database.sql`
    select changes from outbox where aggregate_id = ${enrollment.id} and type ~ 'withdrawn|revoked'`;
  t.equal(told.length, 1, 'and is told once');
});
