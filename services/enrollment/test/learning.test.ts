import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { percentOf, toSubjectProgress } from '../src/learning/presenter.ts';
import { shareTestService, startTestService, type TestService } from './test-service.ts';

const emptyService = await shareTestService(t);

/** A subject with topics, and a learner enrolled in it. */
async function course(service: TestService, topicCount = 3) {
  const subject = service.content.addSubject();
  const topics = Array.from({ length: topicCount }, () => service.content.addTopic(subject.id));
  const { learner, enrollment } = await service.enroll(subject.id);
  const [first, second, third] = topics.map(({ id }) => id);
  return { subject, learner, enrollment, topicIds: { first: first ?? '', second: second ?? '', third: third ?? '' } };
}

t.test('completing a topic increases the progress; undoing it decreases the progress', async (t) => {
  const service = await emptyService();
  const { call } = service;
  const { subject, learner, topicIds } = await course(service);
  const progress = async () => (await call(learner, 'GET', `/api/learning/subjects/${subject.id}/progress`)).data;
  t.match(await progress(), { total: 3, completed: 0, percent: 0, nextTopicId: topicIds.first });

  const completed = await call(learner, 'PUT', `/api/learning/topics/${topicIds.second}/completion`);
  t.match(completed, {
    status: 200,
    data: { topicId: topicIds.second, subjectId: subject.id, completed: true, completedAt: String },
    body: { message: 'Topic completed' },
  });
  t.match(await progress(), { completed: 1, percent: 33, nextTopicId: topicIds.first });
  await call(learner, 'PUT', `/api/learning/topics/${topicIds.first}/completion`);
  t.match(await progress(), { completed: 2, percent: 66, nextTopicId: topicIds.third });
  await call(learner, 'PUT', `/api/learning/topics/${topicIds.third}/completion`);
  t.match(await progress(), { completed: 3, percent: 100, nextTopicId: null });
  t.same(
    (await progress()).topics.map(({ topicId }: { topicId: string }) => topicId),
    [topicIds.first, topicIds.second, topicIds.third],
    'in the order of their positions',
  );

  const undone = await call(learner, 'DELETE', `/api/learning/topics/${topicIds.first}/completion`);
  t.match(undone, {
    status: 200,
    data: { completed: false, completedAt: null },
    body: { message: 'Topic marked as not completed' },
  });
  t.match(await progress(), { completed: 2, percent: 66, nextTopicId: topicIds.first });
});

t.test('a topic that is not live returns 404, also for its mentor and for administrators', async (t) => {
  const { call, content, enroll } = await emptyService();
  const subject = content.addSubject();
  const topic = content.addTopic(subject.id);
  const { learner } = await enroll(subject.id, testPrincipal(['LEARNER', 'ADMIN']));
  content.hideTopic(topic.id);
  const url = `/api/learning/topics/${topic.id}`;
  t.equal((await call(learner, 'PUT', `${url}/completion`)).status, 404);
  t.equal((await call(learner, 'PUT', `${url}/position`, { positionSeconds: 1, durationSeconds: 2 })).status, 404);
  t.equal((await call(learner, 'POST', `${url}/notes`, { content: 'x' })).status, 404);
  t.equal((await call(learner, 'GET', `${url}/progress`)).status, 404);
});

t.test('completing twice appends one event and keeps the time; undoing and completing appends another', async (t) => {
  const service = await emptyService();
  const { learner, topicIds, subject } = await course(service);
  const url = `/api/learning/topics/${topicIds.first}/completion`;
  const responses = await Promise.all(Array.from({ length: 8 }, () => service.call(learner, 'PUT', url)));
  t.same(new Set(responses.map(({ status, data }) => `${status} ${data.completedAt}`)).size, 1);
  const events = () =>
    service.database.sql`select data from outbox where type = 'enrollment.progress.topic-completed' order by ordinal`;
  t.match(await events(), [{ data: { userId: learner.userId, topicId: topicIds.first, subjectId: subject.id } }]);
  t.equal((await events()).length, 1);

  t.equal((await service.call(learner, 'DELETE', url)).status, 200);
  t.equal((await service.call(learner, 'DELETE', url)).status, 200, 'undoing is idempotent');
  await service.call(learner, 'PUT', url);
  t.equal((await events()).length, 2);
});

t.test('only live topics count, also if a topic was completed before it was removed', async (t) => {
  const service = await emptyService();
  const { subject, learner, topicIds } = await course(service);
  await service.call(learner, 'PUT', `/api/learning/topics/${topicIds.first}/completion`);
  service.content.removeTopic(topicIds.first);
  const progress = async () =>
    (await service.call(learner, 'GET', `/api/learning/subjects/${subject.id}/progress`)).data;
  t.match(await progress(), { total: 2, completed: 0, percent: 0, nextTopicId: topicIds.second });
  service.content.removeTopic(topicIds.second);
  service.content.removeTopic(topicIds.third);
  t.match(await progress(), { total: 0, completed: 0, percent: 0, nextTopicId: null, topics: [] });
});

t.test('the position is the last one reported and furthestSeconds never decreases', async (t) => {
  const service = await emptyService();
  const { learner, topicIds } = await course(service);
  const url = `/api/learning/topics/${topicIds.first}`;
  const report = (positionSeconds: number) =>
    service.call(learner, 'PUT', `${url}/position`, { positionSeconds, durationSeconds: 100.5 });
  t.match((await service.call(learner, 'GET', `${url}/progress`)).data, {
    positionSeconds: 0,
    furthestSeconds: 0,
    durationSeconds: null,
    completed: false,
  });
  t.match((await report(40.25)).data, { positionSeconds: 40.25, furthestSeconds: 40.25, durationSeconds: 100.5 });
  t.match((await report(10)).data, { positionSeconds: 10, furthestSeconds: 40.25 });
  await Promise.all([70, 30, 90, 50, 20].map(report));
  t.equal(
    (await service.call(learner, 'GET', `${url}/progress`)).data.furthestSeconds,
    90,
    'the maximum, whichever request is last',
  );
  t.match((await report(100.5)).data, { positionSeconds: 100.5, furthestSeconds: 100.5, completed: false });
});

t.test('an invalid position returns 422 and names the field', async (t) => {
  const service = await emptyService();
  const { learner, topicIds } = await course(service);
  for (const [field, body] of [
    ['positionSeconds', { durationSeconds: 10 }],
    ['durationSeconds', { positionSeconds: 1 }],
    ['positionSeconds', { positionSeconds: -1, durationSeconds: 10 }],
    ['positionSeconds', { positionSeconds: '1', durationSeconds: 10 }],
    ['positionSeconds', { positionSeconds: 11, durationSeconds: 10 }],
    ['durationSeconds', { positionSeconds: 1, durationSeconds: 1e9 }],
    ['positionSeconds', { positionSeconds: null, durationSeconds: 10 }],
  ] as const)
    t.match(await service.call(learner, 'PUT', `/api/learning/topics/${topicIds.first}/position`, body), {
      status: 422,
      body: { details: { field } },
    });
});

t.test('a position after the end of the video returns 422 with the limit', async (t) => {
  const service = await emptyService();
  const { learner, topicIds } = await course(service);
  const url = `/api/learning/topics/${topicIds.first}/position`;
  t.match(await service.call(learner, 'PUT', url, { positionSeconds: 11, durationSeconds: 10 }), {
    status: 422,
    body: { details: { field: 'positionSeconds', message: 'must be at most durationSeconds', value: 11 } },
  });
  t.equal((await service.call(learner, 'PUT', url, { positionSeconds: 10, durationSeconds: 10 })).status, 200);
});

t.test('users who are not enrolled get 403; users who were enrolled can still read', async (t) => {
  const service = await emptyService();
  const { call, admin, content } = service;
  const { subject, learner, enrollment, topicIds } = await course(service);
  await call(learner, 'PUT', `/api/learning/topics/${topicIds.first}/completion`);
  const topic = `/api/learning/topics/${topicIds.first}`;
  const subjectUrl = `/api/learning/subjects/${subject.id}/progress`;
  const position = { positionSeconds: 1, durationSeconds: 2 };
  const writes = [
    ['PUT', `${topic}/completion`],
    ['DELETE', `${topic}/completion`],
    ['PUT', `${topic}/position`, position],
  ] as const;
  const reads = [
    ['GET', `${topic}/progress`],
    ['GET', subjectUrl],
  ] as const;

  const pending = (await service.request(subject.id)).learner;
  for (const other of [testPrincipal(), pending, admin, testPrincipal(['MENTOR'])])
    for (const [method, url, body] of [...writes, ...reads])
      t.match(await call(other, method, url, body), {
        status: 403,
        body: { code: 'ENROLLMENT_REQUIRED', details: { subjectId: subject.id } },
      });
  for (const [method, url] of [...writes, ...reads]) t.equal((await call(null, method, url)).status, 401);

  await call(learner, 'POST', `/api/enrollment/${enrollment.id}/withdraw`);
  for (const [method, url, body] of writes) t.equal((await call(learner, method, url, body)).status, 403, url);
  for (const [method, url] of reads) t.equal((await call(learner, method, url)).status, 200, url);
  t.equal((await call(learner, 'GET', subjectUrl)).data.percent, 33, 'progress is kept');

  const { learner: enrolledAgain } = await service.enroll(subject.id, learner);
  t.equal((await call(enrolledAgain, 'GET', subjectUrl)).data.completed, 1, 'and counts in the next enrollment');
  t.equal((await call(learner, 'GET', `/api/learning/subjects/${createId()}/progress`)).status, 404);
  t.equal((await call(learner, 'GET', `/api/learning/topics/${createId()}/progress`)).status, 404);
  t.equal((await call(learner, 'PUT', `/api/learning/topics/${createId()}/completion`)).status, 404);
  t.equal((await call(learner, 'PUT', '/api/learning/topics/malformed/completion')).status, 404);
  const hidden = content.addSubject({ isLive: false });
  t.equal((await call(learner, 'GET', `/api/learning/subjects/${hidden.id}/progress`)).status, 404);
});

t.test('the list of progress contains every subject that the caller is or was enrolled in once', async (t) => {
  const service = await emptyService();
  const { call } = service;
  const { learner, enrollment, subject, topicIds } = await course(service);
  await call(learner, 'PUT', `/api/learning/topics/${topicIds.first}/completion`);
  await call(learner, 'POST', `/api/enrollment/${enrollment.id}/withdraw`);
  await service.enroll(subject.id, learner);
  const other = service.content.addSubject({ name: 'Chemistry' });
  await service.enroll(other.id, learner);
  await service.request(service.content.addSubject().id, learner);

  const { data, pagination } = await call(learner, 'GET', '/api/learning/progress?sort=createdAt&order=asc');
  t.equal(pagination.total, 2, 'a pending request does not count');
  t.match(data, [
    { subjectId: subject.id, total: 1, completed: 1, percent: 100, subject: { name: 'Algebra' } },
    { subjectId: other.id, total: 0, completed: 0, percent: 0, subject: { name: 'Chemistry' }, topics: [] },
  ]);
  const second = await call(learner, 'GET', '/api/learning/progress?sort=createdAt&order=asc&limit=1&page=2');
  t.match(second.data, [{ subjectId: other.id }]);
  t.same((await call(testPrincipal(), 'GET', '/api/learning/progress')).data, []);
  t.equal((await call(learner, 'GET', '/api/learning/progress?sort=percent')).status, 422);
});

t.test('reading progress makes at most one request to content and works while content is unavailable', async (t) => {
  const service = await startTestService(t);
  const { learner, subject, topicIds } = await course(service);
  await service.call(learner, 'PUT', `/api/learning/topics/${topicIds.second}/completion`);
  const countRequests = async (url: string) => {
    const before = service.content.requests.length;
    const { status } = await service.call(learner, 'GET', url);
    t.equal(status, 200, url);
    return service.content.requests.length - before;
  };
  t.equal(await countRequests(`/api/learning/subjects/${subject.id}/progress`), 1);
  t.equal(await countRequests('/api/learning/progress'), 0);
  t.equal(await countRequests(`/api/learning/topics/${topicIds.second}/progress`), 0, 'a topic with a local copy');

  service.content.stop();
  const { status, data } = await service.call(learner, 'GET', `/api/learning/subjects/${subject.id}/progress`);
  t.equal(status, 200);
  t.match(data, { total: 1, completed: 1 }, 'from the local copy');
  t.equal((await service.call(learner, 'PUT', `/api/learning/topics/${topicIds.first}/completion`)).status, 503);
});

t.test('percentages are integers, rounded down, and 100 only when all topics are completed', async (t) => {
  t.equal(percentOf(0, 0), 0);
  for (let total = 1; total <= 300; total++)
    for (let completed = 0; completed <= total; completed++) {
      const percent = percentOf(completed, total);
      const isRight =
        Number.isInteger(percent) && percent * total <= completed * 100 && (percent + 1) * total > completed * 100;
      if (!isRight) t.fail(`${completed} of ${total} is not ${percent} %`);
    }
  t.equal(percentOf(299, 300), 99);
  t.equal(percentOf(300, 300), 100);
  t.match(toSubjectProgress('s', [], []), { total: 0, percent: 0, nextTopicId: null });
});
