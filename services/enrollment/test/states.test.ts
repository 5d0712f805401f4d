import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { expireEnrollments } from '../src/enrollments/expire-enrollments.ts';
import { type TransitionName, transitions } from '../src/enrollments/states.ts';
import { shareTestService, type TestService } from './test-service.ts';

const emptyService = await shareTestService(t);

const requests = {
  approve: ['PUT', '/api/admin/enrollment'],
  reject: ['PUT', '/api/admin/enrollment'],
  revoke: ['PUT', '/api/admin/enrollment'],
  cancel: ['POST', '/api/enrollment'],
  withdraw: ['POST', '/api/enrollment'],
} as const satisfies Partial<Record<TransitionName, unknown>>;
type RequestedTransition = keyof typeof requests;
const names: RequestedTransition[] = ['approve', 'reject', 'revoke', 'cancel', 'withdraw'];

/** How to reach each status; EXPIRED both before and after the job has stored it. */
const paths: [EnrollmentStatus, (TransitionName | 'let expire')[]][] = [
  ['PENDING', []],
  ['APPROVED', ['approve']],
  ['REJECTED', ['reject']],
  ['CANCELLED', ['cancel']],
  ['WITHDRAWN', ['approve', 'withdraw']],
  ['REVOKED', ['approve', 'revoke']],
  ['EXPIRED', ['approve', 'let expire']],
  ['EXPIRED', ['approve', 'let expire', 'expire']],
];

async function reach(service: TestService, path: (TransitionName | 'let expire')[]) {
  const { learner, enrollment } = await service.request(service.content.addSubject().id);
  const request = (name: RequestedTransition) => {
    const [method, prefix] = requests[name];
    const principal = transitions[name].by === 'ADMIN' ? service.admin : learner;
    return service.call(principal, method, `${prefix}/${enrollment.id}/${name}`);
  };
  for (const step of path) {
    if (step === 'let expire') await service.letExpire(enrollment.id);
    else if (step === 'expire') await expireEnrollments(service.database.db);
    else await request(step);
  }
  return { learner, enrollment, request };
}

for (const [state, path] of paths)
  t.test(
    `from ${state} (by way of ${['request', ...path].join(', ')}) only the transitions of that status succeed`,
    async (t) => {
      const service = await emptyService();
      for (const name of names) {
        const { request, learner, enrollment } = await reach(service, path);
        const response = await request(name);
        const { from, to, by } = transitions[name];
        if (from === state) {
          t.match(
            response,
            { status: 200, data: { status: to }, body: { message: `Enrollment ${to.toLowerCase()}` } },
            name,
          );
          const actorId = by === 'ADMIN' ? service.admin.userId : learner.userId;
          const isDecision = name === 'approve' || name === 'reject';
          t.match(
            response.data,
            isDecision ? { decidedBy: actorId } : { endedBy: actorId },
            `${name} stores the actor`,
          );
          t.type(isDecision ? response.data.decidedAt : response.data.endedAt, 'string', `${name} stores the time`);
        } else {
          t.match(response, { status: 409, body: { code: 'INVALID_STATE', details: { current: state } } }, name);
          const after = await service.call(learner, 'GET', `/api/enrollment/${enrollment.id}`);
          t.equal(after.data.status, state, `${name} changed nothing`);
        }
      }
    },
  );

t.test('only approved enrollments expire', async (t) => {
  const service = await emptyService();
  for (const [state, path] of paths) {
    const { enrollment, learner } = await reach(service, path);
    await service.database
      .sql`update enrollments set expires_at = now() - interval '1 hour' where id = ${enrollment.id}`;
    await expireEnrollments(service.database.db);
    const after = await service.call(learner, 'GET', `/api/enrollment/${enrollment.id}`);
    t.equal(after.data.status, transitions.expire.from === state ? transitions.expire.to : state, state);
  }
});

t.test('a transition is refused for everyone but its actor', async (t) => {
  const service = await emptyService();
  const { call } = service;
  const { learner, enrollment } = await service.request(service.content.addSubject().id);
  for (const name of names) {
    const [method, prefix] = requests[name];
    const url = `${prefix}/${enrollment.id}/${name}`;
    const isAdminTransition = transitions[name].by === 'ADMIN';
    t.equal((await call(null, method, url)).status, 401, `${name} without a passport`);
    t.equal(
      (await call(isAdminTransition ? learner : service.admin, method, url)).status,
      isAdminTransition ? 403 : 404,
      name,
    );
    t.equal(
      (await call(testPrincipal(['MENTOR', 'LEARNER']), method, url)).status,
      isAdminTransition ? 403 : 404,
      `${name} by another user`,
    );
    const unknown = await call(isAdminTransition ? service.admin : learner, method, `${prefix}/${createId()}/${name}`);
    t.match(unknown, { status: 404, body: { code: 'NOT_FOUND' } }, `${name} of an unknown enrollment`);
  }
  t.equal((await call(learner, 'GET', `/api/enrollment/${enrollment.id}`)).data.status, 'PENDING');
});

t.test('one of several concurrent withdrawals and revocations succeeds', async (t) => {
  const service = await emptyService();
  const { learner, enrollment } = await service.enroll(service.content.addSubject().id);
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2
        ? service.call(learner, 'POST', `/api/enrollment/${enrollment.id}/withdraw`)
        : service.call(service.admin, 'PUT', `/api/admin/enrollment/${enrollment.id}/revoke`),
    ),
  );
  t.equal(responses.filter(({ status }) => status === 200).length, 1);
  t.equal(responses.filter(({ status }) => status === 409).length, 11);
  const events = await service.database.sql`
    select changes from outbox where aggregate_id = ${enrollment.id} and type ~ 'withdrawn|revoked'`;
  t.equal(events.length, 1, 'one event');
});
