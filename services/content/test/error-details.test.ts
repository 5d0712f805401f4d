import { createId } from '@lms/database/columns';
import { checkErrorResponses } from '@lms/testing/error-responses';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { startContent } from './content-service.ts';

t.test('every client error contains the resource, the roles or the field', async (t) => {
  const { app } = await startContent(t);
  const kinds = { levels: 'Education level', grades: 'Grade', subjects: 'Subject', topics: 'Topic' };
  const resources = Object.entries(kinds).flatMap(([plural, resource]) => [
    [`/api/education/${plural}/{id}`, resource],
    [`/api/admin/education/${plural}/{id}`, resource],
  ]);
  await checkErrorResponses(t, app, {
    allowed: () => passportHeaders(testPrincipal(['LEARNER', 'MENTOR', 'ADMIN'])),
    withoutRoles: () => passportHeaders(testPrincipal([])),
    resources: {
      ...Object.fromEntries(resources),
      '/api/admin/education/imports/{id}': 'Import',
      '/api/admin/education/exports/{id}': 'Export',
      '/api/education/exports/{id}': 'Export',
    },
  });
});

t.test('client errors of internal routes contain the missing resource or the required roles', async (t) => {
  const { call, createBranch } = await startContent(t);
  const { topic } = await createBranch();
  const path = `/internal/topics/${topic.id}`;
  const admin = testPrincipal(['ADMIN']);
  t.match((await call('DELETE', `${path}/video`, { as: admin })).json, { error: 'Video not found' });
  t.match((await call('DELETE', `${path}/documents/${createId()}`, { as: admin })).json, {
    error: 'Document not found',
  });
  t.match((await call('DELETE', `/internal/topics/x/video`, { as: admin })).json, { error: 'Topic not found' });
  t.match((await call('DELETE', `${path}/documents/x`, { as: admin })).json, { error: 'Document not found' });
  const foreign = await call('DELETE', `${path}/video`, { as: testPrincipal(['MENTOR']) });
  t.same(foreign.json.details, { required: ['ADMIN', 'MENTOR'], user_roles: ['MENTOR'] });
});
