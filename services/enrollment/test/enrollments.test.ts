import { createId } from '@lms/database/columns';
import { connect } from '@lms/database/connect';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { drizzle } from 'drizzle-orm/postgres-js';
import t from 'tap';
import { buildApp } from '../src/app.ts';
import { enrollments } from '../src/enrollments/repository.ts';
import { shareTestService, silent, startTestService } from './test-service.ts';

const emptyService = await shareTestService(t);

t.test('a learner requests an enrollment, an administrator approves it, and the learner has access', async (t) => {
  const { call, content } = await emptyService();
  const subject = content.addSubject({ name: 'Geometry' });
  const learner = testPrincipal(['LEARNER'], { firstName: 'Ada', lastName: null });
  const admin = testPrincipal(['ADMIN']);

  const requested = await call(learner, 'POST', '/api/enrollment/request', {
    subjectId: subject.id,
    message: ' please ',
  });
  t.match(requested, { status: 201, body: { message: 'Enrollment requested' } });
  t.match(requested.data, {
    userId: learner.userId,
    subjectId: subject.id,
    status: 'PENDING',
    source: 'REQUEST',
    message: 'please',
    decidedAt: null,
    expiresAt: null,
    endedAt: null,
    subject: { id: subject.id, name: 'Geometry', gradeId: subject.gradeId },
  });
  const access = `/internal/subjects/${subject.id}/access`;
  t.same((await call(learner, 'GET', access)).data, { subjectId: subject.id, granted: false, expiresAt: null });

  const pending = await call(admin, 'GET', '/api/admin/enrollment/pending');
  t.equal(pending.pagination.total, 1);
  t.match(pending.data[0], {
    id: requested.data.id,
    user: { id: learner.userId, email: learner.email, firstName: 'Ada', lastName: null },
  });

  const approved = await call(admin, 'PUT', `/api/admin/enrollment/${requested.data.id}/approve`);
  t.match(approved, { status: 200, body: { message: 'Enrollment approved' } });
  t.match(approved.data, { status: 'APPROVED', decidedBy: admin.userId });
  t.same((await call(learner, 'GET', access)).data, { subjectId: subject.id, granted: true, expiresAt: null });
  t.equal((await call(admin, 'GET', '/api/admin/enrollment/pending')).pagination.total, 0);
});

t.test('an owner sees their own enrollments; other users do not', async (t) => {
  const { call, content, request } = await emptyService();
  const { learner, enrollment } = await request(content.addSubject().id);
  await request(content.addSubject().id, learner);

  const list = await call(learner, 'GET', '/api/enrollment?sort=requestedAt&order=asc&limit=1');
  t.same(list.pagination, { page: 1, limit: 1, total: 2, pages: 2, hasNext: true, hasPrev: false });
  t.equal(list.data[0].id, enrollment.id);
  t.equal(list.data[0].user, undefined);
  t.match(list.headers.link, /rel="next"/);
  t.equal((await call(learner, 'GET', `/api/enrollment?subjectId=${enrollment.subjectId}`)).pagination.total, 1);
  t.equal((await call(learner, 'GET', '/api/enrollment?status=REJECTED')).pagination.total, 0);

  t.equal((await call(learner, 'GET', `/api/enrollment/${enrollment.id}`)).data.id, enrollment.id);
  t.equal((await call(testPrincipal(), 'GET', `/api/enrollment/${enrollment.id}`)).status, 404);
  t.equal((await call(testPrincipal(['ADMIN']), 'GET', `/api/enrollment/${enrollment.id}`)).status, 404);
  t.same((await call(testPrincipal(), 'GET', '/api/enrollment')).data, []);
});

/** Repeats a request after a 503: those that wait for a connection on a busy machine for too long get one. */
async function untilAvailable<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
  }
}

t.test('one of twenty concurrent requests succeeds and nineteen return 409', async (t) => {
  const { call, content } = await emptyService();
  const subject = content.addSubject();
  const learner = testPrincipal();
  const requestOnce = () => call(learner, 'POST', '/api/enrollment/request', { subjectId: subject.id });
  const responses = await Promise.all(Array.from({ length: 20 }, () => untilAvailable(requestOnce)));
  t.equal(responses.filter(({ status }) => status === 201).length, 1);
  const conflicts = responses.filter(({ status }) => status === 409);
  t.equal(conflicts.length, 19);
  for (const { body } of conflicts)
    t.match(body, { code: 'CONFLICT', details: { resource: 'enrollment', field: 'subjectId', value: subject.id } });
  t.equal((await call(learner, 'GET', '/api/enrollment')).pagination.total, 1);
});

t.test('one of ten concurrent decisions succeeds and the others return 409 with the current status', async (t) => {
  const { call, content, request } = await emptyService();
  const { enrollment } = await request(content.addSubject().id);
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      untilAvailable(() =>
        call(
          testPrincipal(['ADMIN']),
          'PUT',
          `/api/admin/enrollment/${enrollment.id}/${index % 2 ? 'approve' : 'reject'}`,
        ),
      ),
    ),
  );
  const succeeded = responses.filter(({ status }) => status === 200);
  t.equal(succeeded.length, 1);
  for (const { status, body } of responses.filter(({ status }) => status !== 200)) {
    t.equal(status, 409);
    t.match(body, { code: 'INVALID_STATE', details: { current: succeeded[0]?.data.status } });
  }
});

t.test('a learner can request again after a rejection; the rejected enrollment is kept', async (t) => {
  const { call, content, request } = await emptyService();
  const subject = content.addSubject();
  const { learner, enrollment } = await request(subject.id);
  const rejected = await call(testPrincipal(['ADMIN']), 'PUT', `/api/admin/enrollment/${enrollment.id}/reject`, {
    reason: 'full',
  });
  t.match(rejected.data, { status: 'REJECTED', decisionReason: 'full', endedAt: null });
  const again = await request(subject.id, learner);
  t.equal(again.enrollment.status, 'PENDING');
  t.equal((await call(learner, 'GET', '/api/enrollment')).pagination.total, 2);
});

t.test('a request for an unknown, malformed or inactive subject returns 404', async (t) => {
  const { call, content } = await emptyService();
  const hidden = content.addSubject({ isLive: false });
  for (const subjectId of [createId(), hidden.id, 'nope', '../../x?y', 'x'.repeat(300)])
    t.match(await call(testPrincipal(), 'POST', '/api/enrollment/request', { subjectId }), {
      status: 404,
      body: { code: 'NOT_FOUND', success: false },
    });
});

t.test('missing permissions return 401 or 403, and invalid input returns 422 with the field', async (t) => {
  const { call, content, request } = await emptyService();
  const { enrollment } = await request(content.addSubject().id);
  const approve = `/api/admin/enrollment/${enrollment.id}/approve`;
  const admin = testPrincipal(['ADMIN']);

  t.equal((await call(null, 'GET', '/api/enrollment')).status, 401);
  t.match(await call(testPrincipal(['MENTOR']), 'POST', '/api/enrollment/request', {}), {
    status: 403,
    body: { code: 'FORBIDDEN', details: { required: ['LEARNER'], user_roles: ['MENTOR'] } },
  });
  t.equal((await call(testPrincipal(), 'PUT', approve)).status, 403);
  t.match(await call(testPrincipal(['ADMIN'], { status: 'SUSPENDED' }), 'PUT', approve), {
    status: 403,
    body: { code: 'ACCOUNT_SUSPENDED' },
  });
  t.match(await call(testPrincipal(), 'POST', '/api/enrollment/request', {}), {
    status: 422,
    body: { code: 'VALIDATION_ERROR', details: { field: 'subjectId', message: 'is required' } },
  });
  t.equal((await call(testPrincipal(), 'POST', '/api/enrollment/request', { subjectId: 7 })).status, 422);
  t.match(await call(admin, 'PUT', approve, { expiresAt: '2020-01-01T00:00:00Z' }), {
    status: 422,
    body: { details: { field: 'expiresAt', value: '2020-01-01T00:00:00Z' } },
  });
  t.equal((await call(admin, 'PUT', approve, { expiresAt: 'soon' })).status, 422);
  t.equal((await call(admin, 'PUT', approve, { reason: 'x'.repeat(1_001) })).status, 422);
  t.equal((await call(admin, 'PUT', `/api/admin/enrollment/${createId()}/approve`)).status, 404);
  t.equal((await call(admin, 'PUT', '/api/admin/enrollment/nope/approve', { reason: 7 })).status, 404);
  for (const query of ['page=0', 'limit=101', 'sort=email', 'order=up', 'createdFrom=never'])
    t.equal((await call(admin, 'GET', `/api/admin/enrollment/pending?${query}`)).status, 422, query);
  t.equal((await call(admin, 'GET', '/api/admin/enrollment/pending?subjectId=unknown')).pagination.total, 0);
});

t.test('requests with an Idempotency-Key hold no database connection while they wait for content', async (t) => {
  const { call, content, database } = await startTestService(t);
  const subject = content.addSubject();
  const release = content.holdResponses();
  const poolSize = database.sql.options.max;
  const requested = Array.from({ length: poolSize + 1 }, () =>
    call(testPrincipal(), 'POST', '/api/enrollment/request', { subjectId: subject.id }, { 'idempotency-key': 'k' }),
  );
  await waitFor(() => content.requests.length > poolSize, { until: 'all of them to call content' });
  t.equal((await call(testPrincipal(), 'GET', '/api/enrollment')).status, 200);
  release();
  for (const { status } of await Promise.all(requested)) t.equal(status, 201);
});

t.test('a request that gets no database connection in time returns 503 with Retry-After', async (t) => {
  const { content, identity, database: unused } = await startTestService(t);
  const database = connect(unused.url);
  const app = await buildApp({
    ...{ logger: silent, database, passportKey: testPassportKey, notifyRelay: () => undefined },
    ...{ content: content.client, identity: identity.client },
  });
  t.teardown(async () => {
    await app.close();
    await database.close();
  });
  const list = () => app.inject({ url: '/api/enrollment', headers: passportHeaders(testPrincipal()) });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = 0;
  const holding = Array.from({ length: database.sql.options.max }, () =>
    database.sql.begin(async (tx) => {
      await tx`select 1`;
      held += 1;
      await released;
    }),
  );
  await waitFor(() => held === holding.length);
  const refused = await list();
  t.match(refused, { statusCode: 503, headers: { 'retry-after': /^\d+$/ } });
  t.match(refused.json(), { code: 'SERVICE_UNAVAILABLE' });
  release();
  await Promise.all(holding);
  t.equal((await list()).statusCode, 200);
});

t.test('an approval with expiresAt grants access until that time', async (t) => {
  const { call, content, request } = await emptyService();
  const subject = content.addSubject();
  const { learner, enrollment } = await request(subject.id);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const approved = await call(testPrincipal(['ADMIN']), 'PUT', `/api/admin/enrollment/${enrollment.id}/approve`, {
    expiresAt,
  });
  t.equal(approved.data.expiresAt, expiresAt);
  t.same((await call(learner, 'GET', `/internal/subjects/${subject.id}/access`)).data, {
    subjectId: subject.id,
    granted: true,
    expiresAt,
  });
});

t.test('a request returns 503 and stores nothing while content is unavailable', async (t) => {
  const { call, content, database } = await startTestService(t);
  const subject = content.addSubject();
  content.stop();
  const learner = testPrincipal();
  const refused = await call(learner, 'POST', '/api/enrollment/request', { subjectId: subject.id });
  t.equal(refused.status, 503);
  t.equal(refused.body.code, 'SERVICE_UNAVAILABLE');
  t.ok(refused.headers['retry-after']);
  const [row] = await database.sql`select count(*)::int as count from enrollments`;
  t.equal(row?.count, 0);
});

t.test('the access check is one lookup in the index of open enrollments', async (t) => {
  const { database } = await emptyService();
  const { sql } = database;
  await sql`insert into outline (id, kind, name, is_live) select 'subject' || n, 'subject', 'Subject', true
    from generate_series(1, 100) n`;
  await sql`insert into people (id, email) select 'user' || n, n || '@lms.test' from generate_series(1, 50) n`;
  await sql`insert into enrollments (id, user_id, subject_id, status, source)
    select 'enrollment' || n || 'of' || m, 'user' || n, 'subject' || m, 'APPROVED', 'ADMIN'
    from generate_series(1, 50) n, generate_series(1, 100) m`;
  await sql`analyze enrollments`;

  const statements: { query: string; params: unknown[] }[] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => statements.push({ query, params }) };
  await enrollments(drizzle(sql, { casing: 'snake_case', logger })).findActive('user7', 'subject7');
  t.equal(statements.length, 1);
  const [statement] = statements;
  if (!statement) throw new Error('no statement');
  const plan = await sql.unsafe(`explain ${statement.query}`, ['user7', 'subject7']);
  t.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /Index Scan using enrollments_one_open/);
});

t.test('every route returns 503 while the database is unavailable', async (t) => {
  const { content, identity } = await startTestService(t);
  const database = connect('postgres://127.0.0.1:1/nowhere');
  const app = await buildApp({
    logger: silent,
    database,
    passportKey: testPassportKey,
    content: content.client,
    identity: identity.client,
    notifyRelay: () => undefined,
  });
  t.teardown(async () => {
    await app.close();
    await database.close();
  });
  const subjectId = content.addSubject().id;
  for (const [method, url, who] of [
    ['GET', '/api/enrollment', testPrincipal()],
    ['GET', `/internal/subjects/${subjectId}/access`, testPrincipal()],
    ['PUT', `/api/admin/enrollment/${createId()}/approve`, testPrincipal(['ADMIN'])],
    ['GET', '/api/learning/notes', testPrincipal()],
  ] as const) {
    const response = await app.inject({ method, url, headers: passportHeaders(who) });
    t.equal(response.statusCode, 503, url);
    t.equal(response.json().code, 'SERVICE_UNAVAILABLE');
  }
});
