import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { expireEnrollments } from '../src/enrollments/expire-enrollments.ts';
import { type MoveName, moves } from '../src/enrollments/states.ts';
import { type Stage, stage } from './stage.ts';

const requests = {
  approve: ['PUT', '/api/admin/enrollment'],
  reject: ['PUT', '/api/admin/enrollment'],
  revoke: ['PUT', '/api/admin/enrollment'],
  cancel: ['POST', '/api/enrollment'],
  withdraw: ['POST', '/api/enrollment'],
} as const satisfies Partial<Record<MoveName, unknown>>;
type Asked = keyof typeof requests;
const asked: Asked[] = ['approve', 'reject', 'revoke', 'cancel', 'withdraw'];

/** How an enrollment gets into each state; expiry both before and after it is swept up. */
const ways: [EnrollmentStatus, (MoveName | 'time passes')[]][] = [
  ['PENDING', []],
  ['APPROVED', ['approve']],
  ['REJECTED', ['reject']],
  ['CANCELLED', ['cancel']],
  ['WITHDRAWN', ['approve', 'withdraw']],
  ['REVOKED', ['approve', 'revoke']],
  ['EXPIRED', ['approve', 'time passes']],
  ['EXPIRED', ['approve', 'time passes', 'expire']],
];

async function bring(scene: Stage, way: (MoveName | 'time passes')[]) {
  const { learner, enrollment } = await scene.request(scene.content.addSubject().id);
  const ask = (move: Asked) => {
    const [method, prefix] = requests[move];
    const who = moves[move].by === 'ADMIN' ? scene.admin : learner;
    return scene.call(who, method, `${prefix}/${enrollment.id}/${move}`);
  };
  for (const step of way) {
    if (step === 'time passes') await scene.letExpire(enrollment.id);
    else if (step === 'expire') await expireEnrollments(scene.database.db);
    else await ask(step);
  }
  return { learner, enrollment, ask };
}

for (const [state, way] of ways)
  t.test(
    `from ${state} (by way of ${['request', ...way].join(', ')}) exactly the moves that start there are made`,
    async (t) => {
      const scene = await stage(t);
      for (const move of asked) {
        const { ask, learner, enrollment } = await bring(scene, way);
        const answer = await ask(move);
        const { from, to, by } = moves[move];
        if (from === state) {
          t.match(
            answer,
            { status: 200, data: { status: to }, body: { message: `Enrollment ${to.toLowerCase()}` } },
            move,
          );
          const actorId = by === 'ADMIN' ? scene.admin.userId : learner.userId;
          const isDecision = move === 'approve' || move === 'reject';
          t.match(answer.data, isDecision ? { decidedBy: actorId } : { endedBy: actorId }, `${move} is signed`);
          t.type(isDecision ? answer.data.decidedAt : answer.data.endedAt, 'string', `${move} is dated`);
        } else {
          t.match(answer, { status: 409, body: { code: 'INVALID_STATE', details: { current: state } } }, move);
          const after = await scene.call(learner, 'GET', `/api/enrollment/${enrollment.id}`);
          t.equal(after.data.status, state, `${move} changed nothing`);
        }
      }
    },
  );

t.test('time moves those that are approved and past their end, and no others', async (t) => {
  const scene = await stage(t);
  for (const [state, way] of ways) {
    const { enrollment, learner } = await bring(scene, way);
    await scene.database.sql`update enrollments set expires_at = now() - interval '1 hour' where id = ${enrollment.id}`;
    await expireEnrollments(scene.database.db);
    const after = await scene.call(learner, 'GET', `/api/enrollment/${enrollment.id}`);
    t.equal(after.data.status, moves.expire.from === state ? moves.expire.to : state, state);
  }
});

t.test('nobody makes the moves of others', async (t) => {
  const scene = await stage(t);
  const { call } = scene;
  const { learner, enrollment } = await scene.request(scene.content.addSubject().id);
  for (const move of asked) {
    const [method, prefix] = requests[move];
    const url = `${prefix}/${enrollment.id}/${move}`;
    const isAdmins = moves[move].by === 'ADMIN';
    t.equal((await call(null, method, url)).status, 401, `${move} by nobody`);
    t.equal((await call(isAdmins ? learner : scene.admin, method, url)).status, isAdmins ? 403 : 404, move);
    t.equal(
      (await call(testPrincipal(['MENTOR', 'LEARNER']), method, url)).status,
      isAdmins ? 403 : 404,
      `${move} by others`,
    );
    const unknown = await call(isAdmins ? scene.admin : learner, method, `${prefix}/${createId()}/${move}`);
    t.match(unknown, { status: 404, body: { code: 'NOT_FOUND' } }, `${move} of an unknown one`);
  }
  t.equal((await call(learner, 'GET', `/api/enrollment/${enrollment.id}`)).data.status, 'PENDING');
});

t.test('of a withdrawal and a revocation at once one happens', async (t) => {
  const scene = await stage(t);
  const { learner, enrollment } = await scene.enroll(scene.content.addSubject().id);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2
        ? scene.call(learner, 'POST', `/api/enrollment/${enrollment.id}/withdraw`)
        : scene.call(scene.admin, 'PUT', `/api/admin/enrollment/${enrollment.id}/revoke`),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 11);
  const told = await scene.database.sql`
    select changes from outbox where aggregate_id = ${enrollment.id} and type ~ 'withdrawn|revoked'`;
  t.equal(told.length, 1, 'and is told once');
});
