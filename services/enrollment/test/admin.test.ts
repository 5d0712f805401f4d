import { createId } from '@lms/database/columns';
import { untilLocked } from '@lms/testing/database';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { drizzle } from 'drizzle-orm/postgres-js';
import t from 'tap';
import { decideEnrollments } from '../src/enrollments/decide-enrollments.ts';
import { endEnrollments } from '../src/enrollments/end-enrollments.ts';
import { shareTestService, startTestService } from './test-service.ts';

const emptyService = await shareTestService(t);

interface Decided {
  id: string;
  ok: boolean;
  code?: string;
}

const later = () => new Date(Date.now() + 3_600_000).toISOString();

t.test('an administrator enrolls a user without a request, whether or not the user has a local copy', async (t) => {
  const { call, content, identity, admin, hasAccess } = await emptyService();
  const subject = content.addSubject();
  const learner = identity.add(testPrincipal(['LEARNER'], { firstName: 'Grace' }));
  const expiresAt = later();
  const made = await call(admin, 'POST', '/api/admin/enrollment', {
    userId: learner.userId,
    subjectId: subject.id,
    expiresAt,
  });
  t.match(made, {
    status: 201,
    data: { status: 'APPROVED', source: 'ADMIN', decidedBy: admin.userId, expiresAt, user: { firstName: 'Grace' } },
    body: { message: 'User enrolled' },
  });
  t.equal(made.data.requestedAt, made.data.decidedAt);
  t.ok(await hasAccess(learner, subject.id));

  const other = content.addSubject();
  const again = await call(admin, 'POST', '/api/admin/enrollment', { userId: learner.userId, subjectId: other.id });
  t.equal(again.status, 201);
  t.equal(identity.requests.length, 1, 'a user with a local copy is not requested again');
  t.match(await call(admin, 'POST', '/api/admin/enrollment', { userId: learner.userId, subjectId: other.id }), {
    status: 409,
    body: { code: 'CONFLICT' },
  });
});

t.test('enrolling returns 404 for an unknown user or subject and 422 for invalid input', async (t) => {
  const { call, content, identity, admin, database } = await emptyService();
  const subjectId = content.addSubject().id;
  const hidden = content.addSubject({ isLive: false }).id;
  const { userId } = identity.add(testPrincipal());
  for (const [error, body] of [
    ['User not found', { userId: createId(), subjectId }],
    ['User not found', { userId: 'unknown', subjectId }],
    ['User not found', { userId: 'x'.repeat(300), subjectId }],
    ['User not found', { userId: createId(), subjectId: createId() }],
    ['Subject not found', { userId, subjectId: createId() }],
    ['Subject not found', { userId, subjectId: 'unknown' }],
    ['Subject not found', { userId, subjectId: hidden }],
  ] as const) {
    const expected = { status: 404, body: { code: 'NOT_FOUND', error } };
    t.match(await call(admin, 'POST', '/api/admin/enrollment', body), expected);
  }
  for (const [field, body] of [
    ['userId', { subjectId }],
    ['subjectId', { userId }],
    ['userId', { userId: 7, subjectId }],
    ['expiresAt', { userId, subjectId, expiresAt: '2001-01-01T00:00:00.000Z' }],
    ['expiresAt', { userId, subjectId, expiresAt: 'tomorrow' }],
    ['expiresAt', { userId, subjectId, expiresAt: 1_900_000_000 }],
  ] as const)
    t.match(await call(admin, 'POST', '/api/admin/enrollment', body), { status: 422, body: { details: { field } } });
  t.equal((await call(testPrincipal(), 'POST', '/api/admin/enrollment', { userId, subjectId })).status, 403);
  t.equal((await database.sql`select 1 from enrollments`).length, 0);
});

t.test('the list of all enrollments shows every status and filters by it, user, subject, date and text', async (t) => {
  const service = await emptyService();
  const { call, content, admin } = service;
  const subject = content.addSubject();
  const lin = testPrincipal(['LEARNER'], { lastName: 'Lin_%d', email: 'lin@lms.test' });
  const { enrollment } = await service.enroll(subject.id, lin);
  await service.request(subject.id);
  const expiring = await service.enroll(content.addSubject().id);
  await service.letExpire(expiring.enrollment.id);

  const find = async (query: string) => {
    const { data, pagination } = await call(admin, 'GET', `/api/admin/enrollment?${query}`);
    t.equal(pagination.total, data.length, query);
    return data.map(({ id }: { id: string }) => id);
  };
  t.equal((await find('')).length, 3, 'without a filter, every status');
  t.same(await find('status=APPROVED'), [enrollment.id], 'an expired enrollment is not APPROVED');
  t.same(await find('status=EXPIRED'), [expiring.enrollment.id]);
  t.same(await find('status=WITHDRAWN'), []);
  t.same(await find(`userId=${lin.userId}`), [enrollment.id]);
  t.same(await find(`subjectId=${expiring.enrollment.subjectId}`), [expiring.enrollment.id]);
  t.same(await find('userId=unknown'), []);
  t.same(await find(`search=${encodeURIComponent('LIN_%')}`), [enrollment.id]);
  t.same(await find(`search=${encodeURIComponent('n%d')}`), [], 'SQL wildcards are escaped');
  t.same(await find('createdFrom=2099-01-01'), []);
  t.equal((await find('createdTo=2099-01-01T00:00:00Z')).length, 3);
  t.same((await find('sort=status&order=asc')).at(1), expiring.enrollment.id, 'sorted by the current status');
  for (const query of ['status=OPEN', 'search=', `search=${'x'.repeat(101)}`, 'sort=name', 'page=x'])
    t.equal((await call(admin, 'GET', `/api/admin/enrollment?${query}`)).status, 422, query);
  t.equal((await call(testPrincipal(), 'GET', '/api/admin/enrollment')).status, 403);

  const past = await call(admin, 'GET', '/api/admin/enrollment?page=9');
  t.match(past, { status: 200, data: [], pagination: { total: 3, pages: 1, hasNext: false, hasPrev: true } });
});

t.test('pages never overlap when enrollments have the same requestedAt', async (t) => {
  const service = await emptyService();
  const learner = testPrincipal();
  for (let made = 0; made < 7; made++) await service.request(service.content.addSubject().id, learner);
  await service.database.sql`update enrollments set requested_at = '2026-01-01'`;
  const seen = new Set<string>();
  for (const page of [1, 2, 3, 4]) {
    const { data } = await service.call(service.admin, 'GET', `/api/admin/enrollment?limit=2&page=${page}`);
    for (const { id } of data) seen.add(id);
  }
  t.equal(seen.size, 7);
});

t.test('a bulk decision returns one result per id, in the order given', async (t) => {
  const service = await emptyService();
  const { call, content, admin } = service;
  const subject = content.addSubject();
  const [one, two, three] = [
    await service.request(subject.id),
    await service.enroll(subject.id),
    await service.request(subject.id),
  ];
  const unknown = createId();
  const ids = [three.enrollment.id, unknown, two.enrollment.id, 'malformed', one.enrollment.id, one.enrollment.id];
  const decided = await call(admin, 'POST', '/api/admin/enrollment/bulk', { action: 'reject', ids, reason: 'full' });
  t.match(decided, { status: 200, body: { message: '2 of 6 enrollments rejected' } });
  t.same(
    decided.data.map(({ id, ok, code }: Decided) => [id, ok, code]),
    [
      [three.enrollment.id, true, undefined],
      [unknown, false, 'NOT_FOUND'],
      [two.enrollment.id, false, 'INVALID_STATE'],
      ['malformed', false, 'NOT_FOUND'],
      [one.enrollment.id, true, undefined],
      [one.enrollment.id, false, 'INVALID_STATE'],
    ],
  );
  t.match(decided.data[2], { error: String, details: { current: 'APPROVED' } });
  t.match((await call(three.learner, 'GET', `/api/enrollment/${three.enrollment.id}`)).data, {
    status: 'REJECTED',
    decisionReason: 'full',
    decidedBy: admin.userId,
  });
  t.match(
    (await call(admin, 'POST', '/api/admin/enrollment/bulk', { action: 'revoke', ids: [two.enrollment.id] })).data,
    [{ id: two.enrollment.id, ok: true }],
  );
});

t.test('two concurrent bulk decisions on the same ids in opposite orders decide each id once', async (t) => {
  const service = await emptyService();
  const subject = service.content.addSubject();
  const requests = await Promise.all(Array.from({ length: 40 }, () => service.request(subject.id)));
  const ids = requests.map(({ enrollment }) => enrollment.id);
  const decide = (action: string, ids: string[]) =>
    service.call(service.admin, 'POST', '/api/admin/enrollment/bulk', { action, ids }, { 'idempotency-key': action });
  const responses = await Promise.all([decide('approve', ids), decide('reject', ids.toReversed())]);
  t.same(
    responses.map(({ status }) => status),
    [200, 200],
  );
  const [approved, rejected] = responses.map(
    ({ data }) => new Set(data.flatMap(({ id, ok }: Decided) => (ok ? id : []))),
  );
  for (const id of ids) t.not(approved?.has(id), rejected?.has(id), id);
  const events = await service.database.sql`select 1 from outbox where type ~ '(approved|rejected)$'`;
  t.equal(events.length, ids.length);
});

t.test('a bulk decision appends one event per enrollment, in the order given and with the next version', async (t) => {
  const service = await emptyService();
  const subject = service.content.addSubject();
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) ids.push((await service.request(subject.id)).enrollment.id);
  const given = [...ids.toSorted().toReversed(), ids[0]];
  const body = { action: 'approve', ids: given, reason: 'welcome' };
  t.equal((await service.call(service.admin, 'POST', '/api/admin/enrollment/bulk', body)).status, 200);
  const events = await service.database.sql`select * from outbox where type ~ 'approved$' order by ordinal`;
  t.same(
    events.map(({ aggregate_id: id, version }) => [id, version]),
    given.slice(0, 5).map((id) => [id, 2]),
  );
  t.match(events[0], {
    actor_id: service.admin.userId,
    data: { status: 'APPROVED', decidedBy: service.admin.userId, decisionReason: 'welcome' },
    changes: { status: { from: 'PENDING', to: 'APPROVED' }, reason: { from: null, to: 'welcome' } },
  });
});

t.test('a bulk decision on 500 ids needs as many statements as on five', async (t) => {
  const service = await emptyService();
  const { sql } = service.database;
  const subject = service.content.addSubject();
  await service.request(subject.id);
  await sql`insert into people (id, email) select 'user' || n, n || '@lms.test' from generate_series(1, 505) n`;
  const rows = await sql<{ id: string }[]>`insert into enrollments (id, user_id, subject_id, status, source)
    select 'enrollment' || n, 'user' || n, ${subject.id}, 'PENDING', 'REQUEST' from generate_series(1, 505) n returning id`;
  const ids = rows.map(({ id }) => id);
  let statements = 0;
  const logger = { logQuery: () => (statements += 1) };
  const counted = drizzle(sql, { casing: 'snake_case', logger });
  const count = async (some: string[]) => {
    statements = 0;
    const outcomes = await decideEnrollments(counted, 'approve', some, { actorId: service.admin.userId }, {});
    t.ok(outcomes.every(({ ok }) => ok));
    return statements;
  };
  const forFive = await count(ids.slice(500));
  t.equal(await count(ids.slice(0, 500)), forFive);
});

t.test('a bulk decision that fails halfway changes no enrollment', async (t) => {
  const service = await startTestService(t);
  const { sql } = service.database;
  const subject = service.content.addSubject();
  const [one, two] = [await service.request(subject.id), await service.request(subject.id)];
  const ids = [one.enrollment.id, two.enrollment.id];
  await sql`alter table outbox add constraint broken check (aggregate_id <> ${sql.unsafe(`'${ids[1]}'`)}) not valid`;
  const headers = { 'idempotency-key': 'again' };
  const decide = () =>
    service.call(service.admin, 'POST', '/api/admin/enrollment/bulk', { action: 'approve', ids }, headers);
  t.equal((await decide()).status, 500);
  t.equal((await service.call(service.admin, 'GET', '/api/admin/enrollment/pending')).pagination.total, 2);
  await sql`alter table outbox drop constraint broken`;
  t.match((await decide()).data, [{ ok: true }, { ok: true }], 'a retry with the same key succeeds');
});

t.test('a bulk decision and the deletion of the subject do not deadlock', async (t) => {
  const service = await emptyService();
  const { db, sql } = service.database;
  const subject = service.content.addSubject();
  await service.request(subject.id);
  // Inserted in another order than that of their ids, so that a query without ORDER BY returns another order.
  for (const [id, userId] of [
    ['z', 'user1'],
    ['m', 'user2'],
    ['a', 'user3'],
  ] as const) {
    await sql`insert into people (id, email) values (${userId}, ${`${userId}@lms.test`})`;
    await sql`insert into enrollments (id, user_id, subject_id, status, source)
      values (${id}, ${userId}, ${subject.id}, 'PENDING', 'REQUEST')`;
  }
  const both = await sql.begin(async (held) => {
    await held`select 1 from enrollments where id = 'm' for update`;
    const deciding = decideEnrollments(db, 'approve', ['a', 'm', 'z'], { actorId: service.admin.userId }, {});
    await untilLocked({ sql });
    const ending = db.transaction((tx) => endEnrollments(tx, { subjectId: subject.id }, 'SUBJECT_DELETED'));
    await untilLocked({ sql }, 2);
    return { decided: Promise.allSettled([deciding, ending]) };
  });
  const [decided, ended] = await both.decided;
  t.match(decided, { status: 'fulfilled', value: [{ ok: true }, { ok: true }, { ok: true }] });
  t.match(ended, { status: 'fulfilled' });
  const open = await sql`select 1 from enrollments where status in ('PENDING', 'APPROVED')`;
  t.equal(open.length, 0);
});

t.test('an invalid bulk decision returns 422 and names the field', async (t) => {
  const { call, admin } = await emptyService();
  const ids = [createId()];
  for (const [field, body] of [
    ['action', { ids }],
    ['action', { action: 'withdraw', ids }],
    ['ids', { action: 'approve' }],
    ['ids', { action: 'approve', ids: [] }],
    ['ids', { action: 'approve', ids: Array.from({ length: 501 }, createId) }],
    ['ids.1', { action: 'approve', ids: [createId(), 7] }],
    ['ids.0', { action: 'approve', ids: [' '] }],
    ['reason', { action: 'reject', ids, reason: 'x'.repeat(1_001) }],
    ['reason', { action: 'reject', ids, reason: 'a lone surrogate \ud800' }],
  ] as const)
    t.match(await call(admin, 'POST', '/api/admin/enrollment/bulk', body), {
      status: 422,
      body: { details: { field } },
    });
  t.equal((await call(testPrincipal(), 'POST', '/api/admin/enrollment/bulk', { action: 'approve', ids })).status, 403);
  const maximum = { action: 'approve', ids: Array.from({ length: 500 }, createId) };
  t.equal((await call(admin, 'POST', '/api/admin/enrollment/bulk', maximum)).data.length, 500);
});

t.test('a repeated POST with the same Idempotency-Key creates one enrollment', async (t) => {
  const { call, content } = await emptyService();
  const learner = testPrincipal();
  const body = { subjectId: content.addSubject().id };
  const key = { 'idempotency-key': 'one-click' };
  const first = await call(learner, 'POST', '/api/enrollment/request', body, key);
  const second = await call(learner, 'POST', '/api/enrollment/request', body, key);
  t.equal(first.status, 201);
  t.same([second.status, second.data], [201, first.data]);
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.equal((await call(learner, 'POST', '/api/enrollment/request', body)).status, 409);
});

t.test(
  'a decision repeated by the gateway, or with a key, gets the first response; other repetitions get a 409',
  async (t) => {
    const { call, content, request, admin, database } = await emptyService();
    const subject = content.addSubject();
    for (const [action, status] of [
      ['approve', 'APPROVED'],
      ['reject', 'REJECTED'],
      ['revoke', 'REVOKED'],
    ] as const)
      for (const [header, retry] of [
        ['x-request-id', { 'x-lms-retry': '1' }],
        ['idempotency-key', {}],
      ] as const) {
        const { id } = (await request(subject.id)).enrollment;
        if (action === 'revoke') await call(admin, 'PUT', `/api/admin/enrollment/${id}/approve`);
        const decide = (by: typeof admin, headers = {}) =>
          call(by, 'PUT', `/api/admin/enrollment/${id}/${action}`, undefined, headers);
        const first = await decide(admin, { [header]: 'one-decision' });
        t.match(first, { status: 200, data: { status } });
        const again = await decide(admin, { [header]: 'one-decision', ...retry });
        t.match(again, { status: 200, headers: { 'idempotency-replayed': 'true' } }, `${action} with ${header}`);
        t.same([again.data, again.body], [first.data, first.body]);
        const refused = { status: 409, body: { code: 'INVALID_STATE', details: { current: status } } };
        t.match(await decide(admin), refused);
        t.match(await decide(admin, { [header]: 'another-request', ...retry }), refused);
        t.match(await decide(testPrincipal(['ADMIN']), { [header]: 'one-decision', ...retry }), refused);
        if (header === 'x-request-id') t.match(await decide(admin, { [header]: 'one-decision' }), refused);
        t.equal(
          (await database.sql`select 1 from outbox where aggregate_id = ${id} and data->>'status' = ${status}`).length,
          1,
        );
      }
  },
);

t.test('requests of a client with the same X-Request-Id are all processed', async (t) => {
  const { call, content, request, admin } = await emptyService();
  const { id } = (await request(content.addSubject().id)).enrollment;
  const session = { 'x-request-id': 'one-session' };
  const revoke = async () => {
    const body = { action: 'revoke', ids: [id] };
    return (await call(admin, 'POST', '/api/admin/enrollment/bulk', body, session)).data;
  };
  t.match(await revoke(), [{ ok: false, code: 'INVALID_STATE', details: { current: 'PENDING' } }]);
  const approve = () => call(admin, 'PUT', `/api/admin/enrollment/${id}/approve`, undefined, session);
  t.match(await approve(), { status: 200, data: { status: 'APPROVED' } });
  t.match(await revoke(), [{ id, ok: true }]);
  t.match(await approve(), { status: 409, body: { details: { current: 'REVOKED' } } });
});

t.test('a decision repeated after a lost connection waits for the response of the first one', async (t) => {
  const { app, content, request, admin, database } = await startTestService(t);
  const { id } = (await request(content.addSubject().id)).enrollment;
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const approve = (signal?: AbortSignal, retry = {}) =>
    fetch(`${url}/api/admin/enrollment/${id}/approve`, {
      method: 'PUT',
      headers: { ...passportHeaders(admin), 'x-request-id': 'lost-response', ...retry },
      ...(signal && { signal }),
    });
  const lost = new AbortController();
  let repeated: Promise<Response> | undefined;
  await database.sql.begin(async (tx) => {
    await tx`select 1 from enrollments where id = ${id} for update`;
    const first = approve(lost.signal);
    await untilLocked(database);
    lost.abort();
    await t.rejects(first);
    repeated = approve(undefined, { 'x-lms-retry': '1' });
    await untilLocked(database, 2);
  });
  const response = await repeated;
  t.equal(response?.status, 200);
  t.equal(response?.headers.get('idempotency-replayed'), 'true');
  t.match(await response?.json(), { data: { id, status: 'APPROVED', decidedBy: admin.userId } });
});
