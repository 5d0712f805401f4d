import { checkErrorResponses } from '@lms/testing/error-responses';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { startTestService } from './test-service.ts';

t.test('every 4xx response names the resource, the roles or the field', async (t) => {
  const { app } = await startTestService(t);
  await checkErrorResponses(t, app, {
    allowed: () => passportHeaders(testPrincipal(['LEARNER', 'MENTOR', 'ADMIN'])),
    withoutRoles: () => passportHeaders(testPrincipal([])),
    resources: {
      '/api/enrollment/{id}': 'Enrollment',
      '/api/admin/enrollment/{id}': 'Enrollment',
      '/api/mentor/subjects/{id}': 'Subject',
      '/api/learning/topics/{id}': 'Topic',
      '/api/learning/subjects/{id}': 'Subject',
      '/api/learning/notes/{id}': 'Note',
    },
  });
});

t.test("a subject that is not one's own is refused with the roles that would do", async (t) => {
  const { call, content } = await startTestService(t);
  const { id } = content.addSubject();
  const { status, body } = await call(testPrincipal(['MENTOR']), 'GET', `/api/mentor/subjects/${id}/learners`);
  t.equal(status, 403);
  t.match(body, { code: 'FORBIDDEN', details: { required: ['ADMIN', 'MENTOR'], user_roles: ['MENTOR'] } });
});
