import type { Principal } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { parse } from 'csv-parse/sync';
import t, { type Test } from 'tap';
import { startTestService } from './test-service.ts';

const enrollmentsPath = '/api/admin/enrollment.csv';

/** Starts the service on a port: its files end with the connection, which injected requests do not have. */
async function startListening(t: Test) {
  const service = await startTestService(t);
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  // fetch may keep a connection open that it has not used yet; the server would wait for its request.
  t.teardown(() => service.app.server.closeAllConnections());
  const request = (path: string, principal: Principal | null = service.admin, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: principal ? passportHeaders(principal) : {} });
  return {
    ...service,
    request,
    requestEnrollment: service.request,
    async download(path: string, principal?: Principal | null, init?: RequestInit) {
      const response = await request(path, principal, init);
      const body = await response.text();
      const rows: Record<string, string>[] = response.ok ? parse(body, { columns: true }) : [];
      return { status: response.status, headers: Object.fromEntries(response.headers), body, rows };
    },
  };
}

t.test('administrators download all enrollments that match as CSV', async (t) => {
  const service = await startListening(t);
  const { call, content, admin, download } = service;
  const subject = content.addSubject({ name: 'Sums, "products"\r\nand more' });
  const learner = testPrincipal(['LEARNER'], {
    firstName: '=HYPERLINK("x")',
    lastName: 'Zoë, "Z"',
    email: '+a@lms.test',
  });
  const { enrollment } = await service.requestEnrollment(subject.id, learner, '@SUM(1)');
  const { enrollment: expired } = await service.enroll(subject.id);
  await service.letExpire(expired.id);
  const { enrollment: left, learner: leaver } = await service.enroll(subject.id);
  await call(leaver, 'POST', `/api/enrollment/${left.id}/withdraw`);

  const { status, headers, body, rows } = await download(enrollmentsPath);
  t.equal(status, 200);
  t.match(headers, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="enrollments.csv"',
    etag: undefined,
  });
  t.match(body.split('\r\n', 1)[0], /^email,userId,subjectId,expiresAt,/);
  t.ok(body.includes(`"'=HYPERLINK(""x"")","Zoë, ""Z"""`), 'RFC 4180, and no formula');
  const { data } = await call(admin, 'GET', '/api/admin/enrollment?order=asc');
  t.same(
    rows,
    data.map(({ subject, user, ...row }: Record<string, Record<string, string>>) => {
      const values = { ...row, ...user, id: row.id, subjectName: subject?.name, gradeId: subject?.gradeId };
      const escaped = (value: unknown) => String(value ?? '').replace(/^(?=[=+@])/, "'");
      return Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, escaped(Object(values)[name])]));
    }),
    'the rows of the list',
  );
  t.match(rows, [{ id: enrollment.id, message: "'@SUM(1)" }, { status: 'EXPIRED' }, { status: 'WITHDRAWN' }]);

  const ids = async (query: string) => (await download(`${enrollmentsPath}?${query}`)).rows.map(({ id }) => id);
  t.same(await ids('status=WITHDRAWN'), [left.id]);
  t.same(await ids('status=EXPIRED'), [expired.id]);
  t.same(await ids(`userId=${learner.userId}&subjectId=${subject.id}`), [enrollment.id]);
  t.same(await ids('search=hyperlink'), [enrollment.id]);
  t.same(await ids(`createdTo=2001-01-01`), []);
  const none = await download(`${enrollmentsPath}?userId=${createId()}`);
  t.match(none.body, /^email,.*\r\n$/, 'only the header');

  const head = await download(enrollmentsPath, admin, { method: 'HEAD' });
  t.match(head, { status: 200, body: '', headers: { 'content-type': 'text/csv; charset=utf-8' } });
  t.equal(head.headers['content-length'], undefined);
  t.equal((await download(`${enrollmentsPath}?status=GONE`)).status, 422);
  t.equal((await download(enrollmentsPath, testPrincipal(['MENTOR']))).status, 403);
  t.equal((await download(enrollmentsPath, null)).status, 401);
});

t.test('a mentor downloads the learners of their own subject with their progress', async (t) => {
  const service = await startListening(t);
  const { call, content, download } = service;
  const mentor = testPrincipal(['MENTOR']);
  const subject = content.addSubject({ mentorId: mentor.identityProviderId });
  const topic = content.addTopic(subject.id);
  const { learner, enrollment } = await service.enroll(subject.id);
  await service.requestEnrollment(subject.id);
  await call(learner, 'PUT', `/api/learning/topics/${topic.id}/completion`);

  const path = `/api/mentor/subjects/${subject.id}/learners.csv`;
  const { headers, rows } = await download(path, mentor);
  t.equal(headers['content-disposition'], `attachment; filename="learners-${subject.id}.csv"`);
  t.match(rows, [
    {
      email: learner.email,
      userId: learner.userId,
      enrollmentId: enrollment.id,
      status: 'APPROVED',
      decidedAt: enrollment.decidedAt,
      expiresAt: '',
      ...{ total: '1', completed: '1', percent: '100' },
    },
  ]);
  t.equal(rows.length, 1, 'only active enrollments');
  t.equal((await download(`${path}?status=PENDING`)).rows.length, 1);
  t.equal((await download(`${path}?search=unmatched`)).rows.length, 0);
  t.equal((await download(path, testPrincipal(['MENTOR']))).status, 403);
  t.equal((await download(path, mentor, { method: 'HEAD' })).status, 200);
  t.equal((await download(`/api/mentor/subjects/${createId()}/learners.csv`)).status, 404);
  t.equal((await download('/api/mentor/subjects/unknown/learners.csv')).status, 404);
});

t.test('a file is one consistent read, ends with its client, and at most four are sent at once', async (t) => {
  const service = await startListening(t);
  const { content, database, request } = service;
  const { sql } = database;
  const subject = content.addSubject();
  await service.requestEnrollment(subject.id);
  await sql`insert into people (id, email) select 'user' || n, n || '@lms.test' from generate_series(1, 1500) n`;
  await sql`insert into enrollments (id, user_id, subject_id, status, source, message, requested_at)
    select 'enrollment' || n, 'user' || n, ${subject.id}, 'APPROVED', 'ADMIN', repeat('x', 4000), now() + n / 10 * interval '1 second'
    from generate_series(1, 1500) n`;
  const open = (init: RequestInit = {}) => request(enrollmentsPath, service.admin, init);
  const reading = async () =>
    (await sql`select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`)
      .length;

  const controller = new AbortController();
  const { signal } = controller;
  const files = await Promise.all([open(), open({ signal }), open({ signal }), open({ signal })]);
  t.match(await open(), { status: 503 });
  await sql`update enrollments set message = 'changed'`;
  await sql`insert into people (id, email) values ('new', 'new@lms.test')`;
  await sql`insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    values ('new', 'new', ${subject.id}, 'APPROVED', 'ADMIN', now() + interval '1 day')`;
  const rows: Record<string, string>[] = parse((await files[0]?.text()) ?? '', { columns: true });
  t.equal(rows.length, 1_501);
  t.equal(new Set(rows.map(({ id }) => id)).size, 1_501, 'each row once, also those of the same time');
  t.notOk(
    rows.some(({ id, message }) => id === 'new' || message === 'changed'),
    'as of its first row',
  );

  controller.abort();
  await waitFor(async () => (await reading()) === 0);
  const next = await open();
  t.equal(next.status, 200, 'there is room for the next file');
  await next.body?.cancel();
  await waitFor(async () => (await reading()) === 0);
});
