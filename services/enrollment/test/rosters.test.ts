import { createServiceClient } from '@lms/service/service-client';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { drizzle } from 'drizzle-orm/postgres-js';
import t from 'tap';
import { buildApp } from '../src/app.ts';
import { silent, startTestService } from './test-service.ts';

t.test('a mentor sees the learners of their own subject with their progress', async (t) => {
  const service = await startTestService(t);
  const { call, content, admin } = service;
  const mentor = testPrincipal(['LEARNER', 'MENTOR']);
  const subject = content.addSubject({ mentorId: mentor.identityProviderId });
  const [first] = [content.addTopic(subject.id), content.addTopic(subject.id), content.addTopic(subject.id)];
  const { learner, enrollment } = await service.enroll(subject.id, testPrincipal(['LEARNER'], { firstName: 'Emmy' }));
  const { learner: left, enrollment: leaving } = await service.enroll(subject.id);
  await call(left, 'POST', `/api/enrollment/${leaving.id}/withdraw`);
  await service.request(subject.id);
  for (const { id } of [first]) await call(learner, 'PUT', `/api/learning/topics/${id}/completion`);

  const roster = `/api/mentor/subjects/${subject.id}/learners`;
  const seen = await call(mentor, 'GET', roster);
  t.equal(seen.pagination.total, 1, 'only active enrollments');
  t.match(seen.data, [
    {
      user: { id: learner.userId, email: learner.email, firstName: 'Emmy', lastName: 'Last' },
      enrollment: { id: enrollment.id, status: 'APPROVED', decidedAt: String },
      progress: { total: 1, completed: 1, percent: 100 },
    },
  ]);
  t.same((await call(admin, 'GET', roster)).data, seen.data);
  t.match((await call(mentor, 'GET', `${roster}?status=WITHDRAWN`)).data, [{ user: { id: left.userId } }]);
  t.equal((await call(mentor, 'GET', `${roster}?status=PENDING`)).pagination.total, 1);
  t.equal((await call(mentor, 'GET', `${roster}?search=EMMY`)).pagination.total, 1);
  t.equal((await call(mentor, 'GET', `${roster}?search=emmy%20last`)).pagination.total, 1, 'by both names');
  t.equal((await call(mentor, 'GET', `${roster}?search=unmatched`)).pagination.total, 0);
});

t.test('a roster is only visible to the mentor of the subject and to administrators', async (t) => {
  const { call, content } = await startTestService(t);
  const subject = content.addSubject({ mentorId: 'another-mentor' });
  const roster = `/api/mentor/subjects/${subject.id}/learners`;
  t.match(await call(testPrincipal(['MENTOR']), 'GET', roster), {
    status: 403,
    body: { code: 'FORBIDDEN', details: { required: ['ADMIN', 'MENTOR'], user_roles: ['MENTOR'] } },
  });
  const dismissed = testPrincipal(['LEARNER'], { identityProviderId: 'another-mentor' });
  t.equal((await call(dismissed, 'GET', roster)).status, 403, 'a mentor who has lost the role');
  t.equal((await call(null, 'GET', roster)).status, 401);
  const admin = testPrincipal(['ADMIN']);
  t.equal((await call(admin, 'GET', `/api/mentor/subjects/${testPrincipal().userId}/learners`)).status, 404);
  t.equal((await call(admin, 'GET', `${roster}?status=GONE`)).status, 422);
  content.stop();
  t.equal((await call(admin, 'GET', roster)).status, 503, 'content is unavailable');
});

t.test('a page of a roster of 1,000 learners takes one request to content and three statements', async (t) => {
  const service = await startTestService(t);
  const { content, database } = service;
  const subject = content.addSubject();
  await service.request(subject.id);
  const { sql } = database;
  await sql`insert into outline (id, kind, parent_id, name, position, is_live, version)
    select 'topic' || n, 'topic', ${subject.id}, 'Topic', n, true, 1 from generate_series(1, 20) n`;
  await sql`insert into people (id, email) select 'user' || n, n || '@lms.test' from generate_series(1, 1000) n`;
  await sql`insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    select 'enrollment' || n, 'user' || n, ${subject.id}, 'APPROVED', 'ADMIN', now() - n * interval '1 second'
    from generate_series(1, 1000) n`;
  await sql`insert into topic_progress (id, user_id, topic_id, completed_at)
    select 'progress' || n || 'of' || m, 'user' || n, 'topic' || m, now()
    from generate_series(1, 1000) n, generate_series(1, 4) m where m <= n % 5`;
  await sql`analyze`;

  const statements: string[] = [];
  const logger = { logQuery: (query: string) => statements.push(query) };
  const client = createServiceClient(content.url, { timeoutMs: 30_000 });
  const app = await buildApp({
    logger: silent,
    database: { ...database, db: drizzle(sql, { casing: 'snake_case', logger }) },
    passportKey: testPassportKey,
    content: client,
    identity: client,
    notifyRelay: () => undefined,
  });
  t.teardown(async () => {
    await app.close();
    await client.close();
  });
  const requestsBefore = content.requests.length;
  const response = await app.inject({
    url: `/api/mentor/subjects/${subject.id}/learners?limit=100&page=5`,
    headers: passportHeaders(testPrincipal(['ADMIN'])),
  });
  const { data, pagination } = response.json();
  t.match(pagination, { total: 1_000, pages: 10 });
  t.equal(data.length, 100);
  for (const { user, progress } of data) {
    const completed = Number(user.id.slice('user'.length)) % 5;
    t.same(progress, { total: 20, completed, percent: completed * 5 }, user.id);
  }
  t.equal(statements.length, 3);
  t.equal(content.requests.length - requestsBefore, 1);
});
