import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { createId } from '@lms/database/columns';
import { openTransaction } from '@lms/database/open-transaction';
import { untilLocked } from '@lms/testing/database';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { eq } from 'drizzle-orm';
import t from 'tap';
import { userTable } from '../src/users/table.ts';
import { shareTestService, type TestService } from './test-service.ts';

const emptyService = await shareTestService(t);

async function course(service: TestService, learner = testPrincipal()) {
  const subject = service.content.addSubject();
  const topic = service.content.addTopic(subject.id);
  const { enrollment } = await service.enroll(subject.id, learner);
  const url = `/api/learning/topics/${topic.id}/notes`;
  return { subject, topic, learner, enrollment, url };
}

t.test('a learner writes, reads, changes and deletes their own notes', async (t) => {
  const service = await emptyService();
  const { call } = service;
  const { learner, topic, subject, url } = await course(service);
  const written = await call(learner, 'POST', url, { content: '  Remember the units ', positionSeconds: 12.5 });
  t.match(written, { status: 201, body: { message: 'Note created' } });
  t.match(written.data, {
    userId: learner.userId,
    topicId: topic.id,
    subjectId: subject.id,
    content: 'Remember the units',
    positionSeconds: 12.5,
  });
  const note = `/api/learning/notes/${written.data.id}`;
  t.match(await call(learner, 'PUT', note, { content: 'Forget the units' }), {
    status: 200,
    data: { content: 'Forget the units', positionSeconds: 12.5 },
    body: { message: 'Note updated' },
  });
  t.match((await call(learner, 'PUT', note, { positionSeconds: null })).data, {
    content: 'Forget the units',
    positionSeconds: null,
  });
  t.match(await call(learner, 'DELETE', note), {
    status: 200,
    data: { id: written.data.id },
    body: { message: 'Note deleted' },
  });
  t.equal((await call(learner, 'DELETE', note)).status, 404);
  t.equal((await call(learner, 'PUT', note, { content: 'x' })).status, 404);
  t.equal((await call(learner, 'GET', url)).pagination.total, 0);
});

t.test('a note that is written while its author is deleted is refused', async (t) => {
  const service = await emptyService();
  const { learner, url } = await course(service);
  const { tx, commit } = await openTransaction(service.database.db);
  await tx.update(userTable).set({ isDeleted: true }).where(eq(userTable.id, learner.userId));
  const writing = service.call(learner, 'POST', url, { content: 'mine' });
  await Promise.race([writing, untilLocked(service.database)]);
  await commit();
  t.match(await writing, { status: 403, body: { code: 'ACCOUNT_INACTIVE' } });
  t.same(await service.database.sql`select from notes`, []);
});

t.test('only the author sees a note; administrators do not', async (t) => {
  const service = await emptyService();
  const { call, admin } = service;
  const { learner, subject, url } = await course(service);
  const { data } = await call(learner, 'POST', url, { content: 'mine' });
  const { learner: classmate } = await service.enroll(subject.id);
  for (const other of [classmate, admin, testPrincipal(['MENTOR'])]) {
    t.equal((await call(other, 'PUT', `/api/learning/notes/${data.id}`, { content: 'yours' })).status, 404);
    t.equal((await call(other, 'DELETE', `/api/learning/notes/${data.id}`)).status, 404);
    t.same((await call(other, 'GET', '/api/learning/notes')).data, []);
  }
  t.same((await call(classmate, 'GET', url)).data, []);
  t.equal((await call(null, 'GET', '/api/learning/notes')).status, 401);
  t.match((await call(learner, 'GET', url)).data, [{ content: 'mine' }]);
});

t.test('notes are filtered by text, topic and subject', async (t) => {
  const service = await emptyService();
  const { call } = service;
  const learner = testPrincipal();
  const [one, two] = [await course(service, learner), await course(service, learner)];
  await call(learner, 'POST', one.url, { content: 'Pythagoras: 100% sure' });
  await call(learner, 'POST', one.url, { content: 'Euler' });
  await call(learner, 'POST', two.url, { content: 'pythagoras again' });
  const find = async (query: string) => (await call(learner, 'GET', `/api/learning/notes?${query}`)).pagination.total;
  t.equal(await find(''), 3);
  t.equal(await find('search=PYTHAGORAS'), 2);
  t.equal(await find(`search=${encodeURIComponent('0%')}`), 1);
  t.equal(await find('search=_'), 0);
  t.equal(await find(`topicId=${one.topic.id}`), 2);
  t.equal(await find(`subjectId=${two.subject.id}`), 1);
  t.equal(await find('topicId=unknown'), 0);
  t.equal((await call(learner, 'GET', `${one.url}?search=euler`)).pagination.total, 1);
  const first = await call(learner, 'GET', '/api/learning/notes?sort=createdAt&order=asc&limit=1');
  t.match(first.data, [{ content: 'Pythagoras: 100% sure' }]);
  for (const query of ['search=', 'sort=content', 'limit=0'])
    t.equal((await call(learner, 'GET', `/api/learning/notes?${query}`)).status, 422, query);
});

t.test('after the enrollment has ended, notes can be read, changed and deleted but not added', async (t) => {
  const service = await emptyService();
  const { call, content } = service;
  const { learner, enrollment, topic, url } = await course(service);
  const { data } = await call(learner, 'POST', url, { content: 'before' });
  await call(learner, 'POST', `/api/enrollment/${enrollment.id}/withdraw`);
  t.match(await call(learner, 'POST', url, { content: 'after' }), {
    status: 403,
    body: { code: 'ENROLLMENT_REQUIRED' },
  });
  content.removeTopic(topic.id);
  t.equal((await call(learner, 'GET', url)).pagination.total, 1, 'also when the topic is deleted');
  t.equal((await call(learner, 'PUT', `/api/learning/notes/${data.id}`, { content: 'later' })).status, 200);
  t.match((await call(learner, 'GET', '/api/learning/notes')).data, [{ content: 'later' }]);
  t.equal((await call(learner, 'DELETE', `/api/learning/notes/${data.id}`)).status, 200);
});

t.test('the notes on a topic that is not live return 404, except to an author', async (t) => {
  const service = await emptyService();
  const { call, content, admin, database } = service;
  const { learner, subject, topic, url } = await course(service);
  const { learner: classmate } = await service.enroll(subject.id);
  await call(learner, 'POST', url, { content: 'mine' });
  t.equal((await call(classmate, 'GET', url)).status, 200);
  await database.sql`update outline set is_live = false where id = ${topic.id}`;
  content.removeTopic(topic.id);
  const hidden = content.addTopic(subject.id);
  content.hideTopic(hidden.id);
  for (const other of [classmate, testPrincipal(), admin]) {
    t.match(await call(other, 'GET', url), { status: 404, body: { error: /not found/, code: 'NOT_FOUND' } });
    t.equal((await call(other, 'POST', url, { content: 'x' })).status, 404);
  }
  t.equal((await call(admin, 'GET', `/api/learning/topics/${hidden.id}/notes`)).status, 404, 'a topic never published');
  t.match(await call(learner, 'GET', url), { status: 200, data: [{ content: 'mine' }] });
  t.same((await call(learner, 'GET', `${url}?search=other`)).data, []);
});

t.test('an invalid note returns 422 with the field; without access, writing returns 403 or 404', async (t) => {
  const service = await emptyService();
  const { call } = service;
  const { learner, url } = await course(service);
  for (const [field, body] of [
    ['content', {}],
    ['content', { content: '  ' }],
    ['content', { content: 7 }],
    ['content', { content: 'x'.repeat(10_001) }],
    ['content', { content: 'a\0b' }],
    ['positionSeconds', { content: 'x', positionSeconds: -1 }],
  ] as const)
    t.match(await call(learner, 'POST', url, body), { status: 422, body: { details: { field } } });
  t.equal((await call(learner, 'POST', url, { content: 'x'.repeat(10_000) })).status, 201);
  const { data } = await call(learner, 'POST', url, { content: 'x', userId: createId(), id: createId() });
  t.equal(data.userId, learner.userId, 'unknown properties are ignored');
  t.equal((await call(learner, 'PUT', `/api/learning/notes/${data.id}`, {})).status, 422);
  t.equal((await call(learner, 'PUT', `/api/learning/notes/${data.id}`, { content: null })).status, 422);
  t.equal((await call(testPrincipal(), 'POST', url, { content: 'x' })).status, 403);
  t.equal((await call(testPrincipal(), 'GET', url)).status, 403);
  t.equal((await call(learner, 'POST', `/api/learning/topics/${createId()}/notes`, { content: 'x' })).status, 404);
  t.equal((await call(learner, 'GET', `/api/learning/topics/${createId()}/notes`)).status, 404);
});

t.test('the export contains all data of the caller and of no other user', async (t) => {
  const service = await emptyService();
  const { call } = service;
  const { learner, enrollment, topic, url } = await course(service);
  await call(learner, 'POST', url, { content: 'mine' });
  await call(learner, 'PUT', `/api/learning/topics/${topic.id}/completion`);
  await course(service);
  const { status, data } = await call(learner, 'GET', '/internal/export');
  t.equal(status, 200);
  t.match(data, {
    enrollments: [{ id: enrollment.id, status: 'APPROVED', subject: { name: 'Algebra' }, requestedAt: String }],
    progress: [{ topicId: topic.id, completedAt: String }],
    notes: [{ content: 'mine', topicId: topic.id }],
  });
  t.same([data.enrollments.length, data.progress.length, data.notes.length], [1, 1, 1]);
  t.same((await call(testPrincipal(), 'GET', '/internal/export')).data, { enrollments: [], progress: [], notes: [] });
  t.equal((await call(null, 'GET', '/internal/export')).status, 401);
});

t.test('an export is read while it is sent, so that its size does not matter', async (t) => {
  const service = await emptyService();
  const { app, call, database } = service;
  const { learner, url } = await course(service);
  const { data: first } = await call(learner, 'POST', url, { content: 'first' });
  // Many were created in the same millisecond.
  await database.sql`insert into notes (id, user_id, topic_id, content, created_at)
    select 'note' || n, ${learner.userId}, ${first.topicId}, repeat('x', 10000), now() - interval '1 ms' * (n / 250)
    from generate_series(1, 3000) n`;
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const [response] = await once(get(`${base}/internal/export`, { headers: passportHeaders(learner) }), 'response');
  const { data: last } = await call(learner, 'POST', url, { content: 'last' });
  const { notes } = JSON.parse(await text(response)).data;
  t.equal(notes.length, 3_002);
  t.equal(new Set(notes.map(({ id }: { id: string }) => id)).size, 3_002);
  t.equal(notes.at(-1).id, last.id, 'it was written after the response had begun');
});
