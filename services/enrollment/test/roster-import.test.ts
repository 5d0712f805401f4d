import { createId } from '@lms/database/columns';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { startTestService, type TestService } from './test-service.ts';

const path = '/api/admin/enrollment/imports';
const later = () => new Date(Date.now() + 3_600_000).toISOString();

async function importCsv({ app, admin }: TestService, csv: string | Buffer, query = '', headers = {}) {
  const response = await app.inject({
    method: 'POST',
    url: `${path}${query}`,
    headers: { 'content-type': 'text/csv', ...passportHeaders(admin), ...headers },
    payload: csv,
  });
  const { data, ...body } = response.json();
  return { status: response.statusCode, data, body };
}

const form = (name: string, csv: string, boundary = 'limit') => ({
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  payload: `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="roster.csv"\r\nContent-Type: text/csv\r\n\r\n${csv}\r\n--${boundary}--\r\n`,
});

t.test('the length of an external id is counted in characters', async (t) => {
  const service = await startTestService(t);
  const subject = service.content.addSubject();
  const externalId = '😀'.repeat(200);
  service.content.nameSubject(subject.id, externalId);
  const { userId } = service.identity.add(testPrincipal());
  const csv = ['userId,subjectExternalId', `${userId},${externalId}`, `${userId},${externalId}x`].join('\n');
  const { data } = await importCsv(service, csv, '?dryRun=true');
  t.match(data.results, [
    { line: 2, ok: true, status: 'created' },
    { line: 3, ok: false, error: 'The subjectExternalId is too long' },
  ]);
});

t.test('lines are counted and separated whatever their ends', async (t) => {
  const service = await startTestService(t);
  const subject = service.content.addSubject();
  const line = `${service.identity.add(testPrincipal()).userId},${subject.id}`;
  const linesOf = async (csv: string) =>
    (await importCsv(service, csv, '?dryRun=true')).data.results.map(({ line, ok }: { line: number; ok: boolean }) => [
      line,
      ok,
    ]);
  const both = [
    [2, true],
    [4, true],
    [7, false],
    [8, true],
  ];
  const rest = `${line}\r\n\r\n${line}\n"\r\n\r\nx",y\r${line}\r\n`;
  for (const end of ['\n', '\r\n', '\r']) t.same(await linesOf(`userId,subjectId${end}${rest}`), both);
});

t.test('each line of a roster has its own result, and a repetition changes nothing', async (t) => {
  const service = await startTestService(t);
  const { call, content, identity, admin, database, hasAccess } = service;
  const { sql } = database;
  const subject = content.addSubject();
  content.nameSubject(subject.id, 'algebra-1');
  const hidden = content.addSubject({ isLive: false });
  const [fresh, byMail] = [identity.add(testPrincipal()), identity.add(testPrincipal())];
  const unverified = identity.add(testPrincipal(['LEARNER'], { emailVerified: false }));
  const { learner: pending, enrollment: request } = await service.request(subject.id);
  const { learner: enrolled, enrollment: existing } = await service.enroll(subject.id);
  const { learner: lapsed, enrollment: old } = await service.enroll(subject.id);
  await service.letExpire(old.id);
  const expiresAt = later();
  const lines = [
    'email,userId,subjectId,subjectExternalId,expiresAt',
    `,${fresh.userId},${subject.id},,${expiresAt}`,
    `${byMail.email.toUpperCase()},,,algebra-1,`,
    `,${pending.userId},${subject.id},,${expiresAt}`,
    `,${enrolled.userId},${subject.id},,${expiresAt}`,
    `,${lapsed.userId},,algebra-1,`,
    `,${fresh.userId},${subject.id},,`,
    `${byMail.email},${fresh.userId},${subject.id},,`,
    `${unverified.email},,${subject.id},,`,
    `unknown@lms.test,,${subject.id},,`,
    `,${createId()},${subject.id},,`,
    `,unknown,${subject.id},,`,
    `,${fresh.userId},${hidden.id},,`,
    `,${fresh.userId},,algebra-2,`,
    `,${fresh.userId},${subject.id},,2001-01-01`,
    `,${fresh.userId},${subject.id},,tomorrow`,
    `,,${subject.id},,`,
    `,${fresh.userId},,,`,
    `,${fresh.userId},${subject.id}`,
  ];
  const csv = `\uFEFF${lines.join('\r\n')}\r\n\r\n`;

  const states = () => sql`select id, status, version from enrollments
    left join aggregate_versions on aggregate_id = id order by id`;
  const before = await states();
  const dry = await importCsv(service, csv, '?dryRun=true');
  t.same(await states(), before, 'a dry run changes nothing');
  const counts = { lines: 18, created: 3, approved: 1, unchanged: 2, failed: 12 };
  t.match(dry, { status: 200, data: { dryRun: true, counts } });

  const made = await importCsv(service, csv);
  t.match(made, { status: 200, data: { dryRun: false, counts }, body: { message: '6 of 18 lines are enrolled' } });
  const { results } = made.data;
  t.match(results.slice(0, 6), [
    { line: 2, ok: true, status: 'created', enrollmentId: String },
    { line: 3, ok: true, status: 'created' },
    { line: 4, ok: true, status: 'approved', enrollmentId: request.id },
    { line: 5, ok: true, status: 'unchanged', enrollmentId: existing.id },
    { line: 6, ok: true, status: 'created' },
    { line: 7, ok: true, status: 'unchanged', enrollmentId: results[0].enrollmentId },
  ]);
  const failures = results
    .slice(6)
    .map(({ line, ok, code, error }: Record<string, unknown>) => [line, ok, code, error]);
  t.same(failures, [
    ...[8, 9, 10, 11, 12].map((line) => [line, false, 'NOT_FOUND', 'User not found']),
    ...[13, 14].map((line) => [line, false, 'NOT_FOUND', 'Subject not found']),
    [15, false, 'VALIDATION_ERROR', 'expiresAt must be in the future'],
    [16, false, 'VALIDATION_ERROR', 'expiresAt must be a date or time in ISO 8601'],
    [17, false, 'VALIDATION_ERROR', 'An email or a userId is required'],
    [18, false, 'VALIDATION_ERROR', 'A subjectId or a subjectExternalId is required'],
    [19, false, 'VALIDATION_ERROR', 'The line has 3 values instead of 5'],
  ]);
  t.same(
    dry.data.results.map(({ enrollmentId: _, ...rest }: Record<string, unknown>) => rest),
    results.map(({ enrollmentId: _, ...rest }: Record<string, unknown>) => rest),
    'a dry run has the same results',
  );
  for (const learner of [fresh, byMail, pending, enrolled, lapsed]) t.ok(await hasAccess(learner, subject.id));
  t.match((await call(fresh, 'GET', '/api/enrollment')).data, [
    { status: 'APPROVED', source: 'ADMIN', decidedBy: admin.userId, expiresAt },
  ]);
  t.match((await call(pending, 'GET', '/api/enrollment')).data, [{ status: 'APPROVED', source: 'REQUEST', expiresAt }]);
  t.match((await call(enrolled, 'GET', '/api/enrollment')).data, [{ status: 'APPROVED', expiresAt: null }]);
  t.match((await call(lapsed, 'GET', '/api/enrollment')).data, [{ status: 'APPROVED' }, { status: 'EXPIRED' }]);
  const events = await sql`select type, data->>'userId' as user, actor_id from outbox where actor_id = ${admin.userId}
    and data->>'userId' in ${sql([fresh, byMail, pending, lapsed].map(({ userId }) => userId))}
    and request_id <> '' order by ordinal`;
  const published = events.filter(({ type }) => type === 'enrollment.enrollment.approved').map(({ user }) => user);
  t.same(new Set(published), new Set([fresh, byMail, pending, lapsed].map(({ userId }) => userId)));

  const after = await states();
  const again = await importCsv(service, `${csv.replaceAll(',', ';')};;;;\r\n`);
  t.match(again.data.counts, { created: 0, approved: 0, unchanged: 6, failed: 12 });
  t.same(await states(), after, 'a repetition, now with semicolons and an empty row, changes nothing');
});

t.test('a line that no lookup accepts does not affect the others', async (t) => {
  const service = await startTestService(t);
  const subject = service.content.addSubject();
  const { userId } = service.identity.add(testPrincipal());
  const marks = '\u0301'.repeat(101);
  const csv = [
    'email,userId,subjectId',
    `a${marks}@x.test,,${subject.id}`,
    `,${'x'.repeat(10_000)},${subject.id}`,
    `,${userId},${subject.id}`,
  ];
  const { data } = await importCsv(service, csv.join('\n'));
  t.match(data.results, [
    {
      line: 2,
      ok: false,
      code: 'VALIDATION_ERROR',
      error: 'Values must not contain more than 100 combining marks in a row',
    },
    { line: 3, ok: false, code: 'NOT_FOUND', error: 'User not found' },
    { line: 4, ok: true, status: 'created' },
  ]);
});

t.test('a file that is not a roster is refused as a whole', async (t) => {
  const service = await startTestService(t);
  const { app, admin, content, identity, database } = service;
  const line = `${identity.add(testPrincipal()).userId},${content.addSubject().id}`;
  const good = `userId,subjectId\n${line}\n`;
  for (const [message, csv] of [
    [/header row/, ''],
    [/header row/, `userId\n${line}`],
    [/header row/, 'subjectId\nx'],
    [/unknown column/, `userId,subjectId,role\n${line},ADMIN`],
    [/each column once/, `userId,userId,subjectId\n${line},x`],
    [/line 2 has a quote/, `userId,subjectId\n"${line}`],
    [/UTF-8/, Buffer.from('userId,subjectId\n\xE9,x', 'latin1')],
    [/at most 10000 lines/, `userId,subjectId\n${`${line}\n`.repeat(10_001)}`],
    // The error at the end is not reached.
    [/at most 10000 lines/, `userId,subjectId\n${'a\n'.repeat(20_000)}"`],
    [/at most 10000 lines/, `userId,subjectId\n${',,\n'.repeat(20_000)}"`],
    [/at most 10000 lines/, `userId,subjectId\n${',\n'.repeat(100_000)}"`],
    [/unknown column/, 'x,'.repeat(5_000)],
    [/line 1 .* longer than 16384 bytes/, 'x,'.repeat(200_000)],
    [/line 2 .* longer than 16384 bytes/, `userId,subjectId\n${',x'.repeat(200_000)}`],
  ] as const)
    t.match(
      await importCsv(service, csv),
      { status: 422, body: { code: 'VALIDATION_ERROR', details: { field: 'file', message } } },
      csv.toString().slice(0, 40),
    );
  t.match(await importCsv(service, good, '?dryRun=perhaps'), { status: 422, body: { details: { field: 'dryRun' } } });
  t.match(await importCsv(service, Buffer.alloc(4 * 1_024 * 1_024 + 1, 'x')), { status: 413 });
  for (const headers of [
    { 'content-type': 'application/json' },
    { 'content-type': 'text/csv; charset=iso-8859-1' },
    { 'content-encoding': 'gzip' },
  ])
    t.match(await importCsv(service, good, '', headers), { status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });

  const send = async (principal: ReturnType<typeof testPrincipal> | null, given: ReturnType<typeof form>) => {
    const headers = { ...given.headers, ...(principal && passportHeaders(principal)) };
    const { statusCode } = await app.inject({ method: 'POST', url: path, headers, payload: given.payload });
    return statusCode;
  };
  t.equal(await send(admin, form('other', good)), 422, 'a form without the file');
  const [twice, once] = [form('file', good), form('file', good).payload.replace('--limit--\r\n', '')];
  t.equal(await send(admin, { ...twice, payload: once + twice.payload }), 422, 'a form with two files');
  const field = '--limit\r\nContent-Disposition: form-data; name="dryRun"\r\n\r\ntrue\r\n';
  t.equal(await send(admin, { ...twice, payload: field + twice.payload }), 422, 'dryRun is a query parameter');
  t.equal(await send(admin, form('file', 'x'.repeat(4 * 1_024 * 1_024 + 1))), 413);
  t.equal(await send(admin, { ...form('file', good), payload: '--limit\r\nbroken' }), 400);
  t.equal(await send(testPrincipal(['MENTOR']), form('file', good)), 403);
  t.equal(await send(null, form('file', good)), 401);
  t.equal((await database.sql`select 1 from enrollments`).length, 0);
  t.equal(await send(admin, form('file', good)), 200, 'the roster as the file of a form');
  t.equal((await database.sql`select 1 from enrollments`).length, 1);
  identity.stop();
  const byMail = await importCsv(service, `email,subjectId\nx@lms.test,${line.split(',')[1]}`);
  t.equal(byMail.status, 503, 'identity is unavailable');
  const long = [...Array(500).fill(line), ...Array(2).fill(`${createId()},${line.split(',')[1]}`)];
  const interrupted = await importCsv(service, `userId,subjectId\n${long.join('\n')}`);
  t.match(interrupted, { status: 200, data: { counts: { lines: 502, unchanged: 500, failed: 2 } } });
  t.match(interrupted.data.results.slice(500), [
    { line: 502, code: 'SERVICE_UNAVAILABLE' },
    { line: 503, code: 'SERVICE_UNAVAILABLE' },
  ]);
});

t.test('a roster may have 10,000 lines', async (t) => {
  const service = await startTestService(t);
  const line = `${service.identity.add(testPrincipal()).userId},${service.content.addSubject().id}`;
  const { data } = await importCsv(service, `userId,subjectId\n${`${line}\n`.repeat(10_000)}`);
  t.match(data.counts, { lines: 10_000, created: 1, unchanged: 9_999 });
});

t.test('many lines take few requests, and concurrent imports of them enroll each user once', async (t) => {
  const service = await startTestService(t);
  const { content, identity, database } = service;
  content.nameSubject(content.addSubject().id, 'algebra');
  const emails = Array.from({ length: 1_500 }, () => identity.add(testPrincipal()).email);
  const rosterOf = (users: string[]) =>
    `email,subjectExternalId\n${users.map((email) => `${email},algebra`).join('\n')}`;

  const { data } = await importCsv(service, rosterOf(emails.slice(0, 1_000)));
  t.equal(data.counts.created, 1_000);
  const requests = identity.requests.length + content.requests.length;
  t.equal(requests, 4, 'the subject by its external id and by its id, and the users of 2 batches');
  // In opposite orders, which could deadlock.
  const rosters = [emails, emails.toReversed()].map(rosterOf);
  const imports = await Promise.all(rosters.map((roster) => importCsv(service, roster)));
  const counts = imports.map((made) => made.data.counts);
  t.same(
    counts.map(({ created, unchanged }) => created + unchanged),
    [1_500, 1_500],
  );
  t.equal(
    counts.reduce((sum, { created }) => sum + created, 0),
    500,
  );
  const [stored] = await database.sql`select count(*)::int as enrollments, count(distinct user_id)::int as users,
    (select count(*)::int from outbox) as events from enrollments`;
  t.same(stored, { enrollments: 1_500, users: 1_500, events: 1_500 });
});
