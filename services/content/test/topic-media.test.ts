import { documentRemoved, videoRemoved } from '@lms/contracts/events/media';
import { createId } from '@lms/database/columns';
import { handleMessages } from '@lms/events/inbox';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { removalHandlers } from '../src/hierarchy/on-media-changed.ts';
import { admin, startContent } from './content-service.ts';

const { call, createBranch, enroll, identity, database } = await startContent(t);

const mentor = testPrincipal(['MENTOR', 'LEARNER']);
const createMentoredBranch = () => createBranch({ subject: { mentorId: mentor.identityProviderId } });

const entry = (id = createId()) => ({
  id,
  name: 'Handout',
  description: '',
  key: `documents/${id}`,
  fileName: 'handout.pdf',
  mimeType: 'application/pdf',
  size: 5,
  checksum: `sha256:${'a'.repeat(64)}`,
  url: `http://old.test/api/s3/document/stream?key=${id}`,
  uploadedBy: mentor.userId,
  uploadedAt: '2026-01-31T12:00:00.000Z',
});
const video = (topicId: string) => {
  const { id, fileName, mimeType, size, checksum, uploadedAt } = entry();
  return {
    video: { id, fileName, mimeType, size, checksum, uploadedAt },
    videoUrl: `http://old.test/api/education/topics/${topicId}/video`,
  };
};

t.test('setting, replacing and removing a video return the previous video', async (t) => {
  const { topic } = await createMentoredBranch();
  const path = `/internal/topics/${topic.id}/video`;
  const [first, second] = [video(topic.id), video(topic.id)];
  t.same((await call('PUT', path, { as: mentor, body: first })).json.data, { topicId: topic.id, previous: null });
  t.same((await call('PUT', path, { as: mentor, body: first })).json.data, { topicId: topic.id, previous: null });
  t.same((await call('PUT', path, { as: mentor, body: second })).json.data, { topicId: topic.id, previous: first });

  const { json } = await call('GET', `/api/education/topics/${topic.id}`, { as: mentor });
  t.match(json.data, { hasVideo: true, videoUrl: `https://lms.test/api/education/topics/${topic.id}/video` });
  t.match((await call('GET', `/api/education/topics/${topic.id}`)).json.data, { hasVideo: true, videoUrl: null });

  t.same((await call('DELETE', path, { as: mentor })).json.data, { topicId: topic.id, previous: second });
  t.match(await call('DELETE', path, { as: mentor }), { status: 404, json: { code: 'NOT_FOUND' } });
});

t.test('the state of the current video changes with newer versions only', async (t) => {
  const { topic } = await createMentoredBranch();
  const path = `/internal/topics/${topic.id}/video`;
  const [first, second] = [video(topic.id), video(topic.id)];
  const known = {
    ...{ durationSeconds: 12.5, width: 640, height: 360, hasAudio: true, status: 'ready' },
    renditions: [{ height: 240, bandwidth: 400_000 }],
    captions: [{ language: 'en', label: 'English', kind: 'captions', default: true }],
  };
  const change = async (given: typeof first, version: number, state: object = known, as = mentor) => {
    const body = { video: { ...given.video, ...state }, version };
    return (await call('PUT', `${path}/state`, { as, body })).json;
  };
  const read = async (as: typeof mentor | null = mentor) => {
    const one = (await call('GET', `/api/education/topics/${topic.id}`, { as })).json.data.video;
    const [listed] = (await call('GET', `/api/education/subjects/${topic.subjectId}/topics`, { as })).json.data;
    t.same(listed.video, one, 'lists show the same');
    return one;
  };
  t.equal(await read(), null);
  t.match(await change(first, 1), { data: { changed: false } }, 'there is no video');
  await call('PUT', path, { as: mentor, body: first });
  const initial = { durationSeconds: null, width: null, height: null, hasAudio: null, status: 'none' };
  t.same(await read(), { ...first.video, ...initial, renditions: [], captions: [] });
  t.equal(await read(null), null, 'only with access');

  t.match(await change(first, 3), { data: { changed: true } });
  t.same(await read(), { ...first.video, ...known });
  const actors = async () =>
    (await database.sql`select actor_id from outbox where aggregate_id = ${topic.id} order by ordinal`).map(Object);
  t.match((await actors()).at(-1), { actor_id: mentor.userId });
  for (const version of [2, 3])
    t.match(await change(first, version, { ...known, captions: [] }), { data: { changed: false } });
  t.match(await change(first, 4, { ...known, status: 'failed' }, testPrincipal(['MENTOR'])), { code: 'FORBIDDEN' });
  t.same(await read(), { ...first.video, ...known });

  const found = { video: { ...first.video, ...known, status: 'failed' }, version: 4, isBackground: true };
  t.match((await call('PUT', `${path}/state`, { as: mentor, body: found })).json, { data: { changed: true } });
  t.match((await actors()).at(-1), { actor_id: null }, 'it has no actor, as media found it out itself');

  await call('PUT', path, { as: mentor, body: second });
  t.match(await change(first, 5), { data: { changed: false } }, 'a replaced video does not return');
  t.match(await read(), { id: second.video.id, status: 'none', captions: [] });
});

t.test('concurrently appended documents are all stored, and documents can be removed', async (t) => {
  const { topic } = await createMentoredBranch();
  const path = `/internal/topics/${topic.id}/documents`;
  const entries = Array.from({ length: 8 }, () => entry());
  const responses = await Promise.all([...entries, ...entries].map((body) => call('POST', path, { as: mentor, body })));
  t.ok(responses.every(({ status }) => status === 201));
  const read = async () => (await call('GET', `/api/education/topics/${topic.id}`, { as: mentor })).json.data;
  const { documents, documentCount } = await read();
  t.equal(documentCount, 8);
  t.same(documents.map(({ id }: { id: string }) => id).sort(), entries.map(({ id }) => id).sort());
  t.match(documents[0], { url: /^https:\/\/lms\.test\/api\/s3\/document\/stream\?key=/ });

  const [one] = entries;
  t.same((await call('DELETE', `${path}/${one?.id}`, { as: mentor })).json.data, one);
  t.equal((await call('DELETE', `${path}/${one?.id}`, { as: mentor })).status, 404);
  t.equal((await read()).documentCount, 7);
  const { topic: other } = await createMentoredBranch();
  const foreign = `/internal/topics/${other.id}/documents/${entries[1]?.id}`;
  t.equal((await call('DELETE', foreign, { as: admin })).status, 404, "another topic's");
});

t.test('all removals of one batch of events disappear from their topic', async (t) => {
  const { topic } = await createMentoredBranch();
  const path = `/internal/topics/${topic.id}`;
  const entries = [entry(), entry(), entry(), entry()];
  for (const body of entries) await call('POST', `${path}/documents`, { as: mentor, body });
  const shown = video(topic.id);
  await call('PUT', `${path}/video`, { as: mentor, body: shown });
  const toMessage = ({ type, subject }: typeof documentRemoved | typeof videoRemoved, data: { id: string }) => ({
    ...{ id: createId(), aggregateId: data.id, subject, headers: { 'ce-type': type } },
    body: JSON.stringify({ ...data, topicId: topic.id, version: 2 }),
  });
  const messages = [
    ...entries.slice(1).map((document) => toMessage(documentRemoved, document)),
    toMessage(videoRemoved, shown.video),
  ];
  const handlers = new Map(removalHandlers.map((handler) => [handler.type, handler]));
  await handleMessages({ db: database.db, consumer: 'removals', handlers }, messages);
  const { data } = (await call('GET', `/api/education/topics/${topic.id}`, { as: mentor })).json;
  t.same(
    data.documents.map(({ id }: { id: string }) => id),
    [entries[0]?.id],
  );
  t.equal(data.video, null);
  const [last] =
    await database.sql`select data from outbox where aggregate_id = ${topic.id} order by ordinal desc limit 1`;
  t.match(last?.data, { video: null, documents: [{ id: entries[0]?.id }] });
});

t.test('only administrators and the mentor of the subject can change videos and documents', async (t) => {
  const { topic } = await createMentoredBranch();
  const { topic: foreign } = await createBranch();
  const attempt = (as: typeof mentor | null, id: string) =>
    call('POST', `/internal/topics/${id}/documents`, { as, body: entry() });
  t.equal((await attempt(null, topic.id)).status, 401);
  t.match((await attempt(testPrincipal(), topic.id)).json, {
    code: 'FORBIDDEN',
    details: { required: ['ADMIN', 'MENTOR'], user_roles: ['LEARNER'] },
  });
  t.equal(
    (await attempt(testPrincipal(['LEARNER'], { identityProviderId: mentor.identityProviderId }), topic.id)).status,
    403,
  );
  t.equal((await attempt(mentor, foreign.id)).status, 403, "another's subject");
  t.equal((await attempt(mentor, topic.id)).status, 201);
  t.equal((await attempt(admin, foreign.id)).status, 201);
  t.equal((await attempt(admin, createId())).status, 404);
});

t.test('the roles and status of an older passport are read from identity before a change', async (t) => {
  const { topic } = await createMentoredBranch();
  const path = `/internal/principals/${mentor.userId}`;
  const attempt = (age: number) =>
    call('POST', `/internal/topics/${topic.id}/documents`, {
      headers: passportHeaders(mentor, { age }),
      body: entry(),
    });

  identity.respondWith(path, { ...mentor, roles: ['LEARNER'] });
  t.equal((await attempt(5)).status, 201, 'a young passport is trusted');
  t.match(await attempt(25), { status: 403, json: { code: 'FORBIDDEN' } }, 'not a mentor, after 25 seconds');
  t.match(await attempt(3_600), { status: 403, json: { code: 'FORBIDDEN' } }, 'not a mentor, after an hour');
  identity.respondWith(path, { ...mentor, status: 'SUSPENDED' });
  t.match(await attempt(3_600), { status: 403, json: { code: 'ACCOUNT_SUSPENDED' } });
  identity.failWith(path, 404);
  t.match(await attempt(3_600), { status: 403, json: { code: 'ACCOUNT_INACTIVE' } }, 'unknown user');
  identity.failWith(path, 503);
  t.equal((await attempt(3_600)).status, 503, 'identity is unavailable');
  identity.respondWith(path, mentor);
  t.equal((await attempt(3_600)).status, 201);
  t.equal((await attempt(7 * 3_600)).status, 401, 'expired');
  const publicRead = await call('GET', `/api/education/topics/${topic.id}`, {
    headers: passportHeaders(mentor, { age: 120 }),
  });
  t.equal(publicRead.status, 401, 'only internal routes accept older passports');
});

t.test('a suspended learner loses access even with a passport of 25 seconds', async (t) => {
  const { subject, topic } = await createMentoredBranch();
  const learner = testPrincipal();
  enroll(subject.id);
  const getAccess = () =>
    call('GET', `/internal/topics/${topic.id}/access`, { headers: passportHeaders(learner, { age: 25 }) });
  identity.respondWith(`/internal/principals/${learner.userId}`, learner);
  t.match(await getAccess(), { status: 200, json: { data: { read: { granted: true } } } });
  identity.respondWith(`/internal/principals/${learner.userId}`, { ...learner, status: 'SUSPENDED' });
  t.match(await getAccess(), { status: 403, json: { code: 'ACCOUNT_SUSPENDED' } });
});

t.test('internal routes return a subject, also if it is not live, and its live topics in order', async (t) => {
  const { subject, grade, topic } = await createMentoredBranch();
  const { json } = await call('GET', `/internal/subjects/${subject.id}`, { as: testPrincipal() });
  t.same(json.data, {
    id: subject.id,
    name: subject.name,
    gradeId: grade.id,
    mentorId: mentor.identityProviderId,
    isLive: true,
  });
  const { json: topics } = await call('GET', `/internal/subjects/${subject.id}/topics`);
  t.same(topics.data, [{ id: topic.id, name: topic.name, position: 0 }]);
  t.equal((await call('GET', `/internal/subjects/${createId()}`)).status, 404);
  const path = `/api/admin/education/subjects/${subject.id}`;
  await call('PUT', path, { as: admin, body: { isActive: false } });
  const internal = (as: typeof mentor) => call('GET', `/internal/subjects/${subject.id}`, { as });
  t.match(await internal(mentor), { status: 200, json: { data: { isLive: false } } }, 'inactive');
  await call('DELETE', path, { as: admin });
  t.match(await internal(admin), { status: 200, json: { data: { isLive: false } } }, 'deleted');
  for (const other of [mentor, testPrincipal()])
    t.match(await internal(other), { status: 404, json: { error: 'Subject not found' } }, 'deleted');
  t.equal((await call('GET', `/internal/subjects/${createId()}/topics`)).status, 404);
});

t.test('the personal data of a mentor lists the assigned subjects', async (t) => {
  const assigned = testPrincipal(['MENTOR', 'LEARNER']);
  const exportOf = (as: typeof assigned | null) => call('GET', '/internal/export', { as });
  t.same((await exportOf(assigned)).json.data, {});
  const { subject } = await createBranch({
    subject: { mentorId: assigned.identityProviderId, mentorEmail: assigned.email },
  });
  t.same((await exportOf(assigned)).json.data, {
    mentorAssignments: [{ subjectId: subject.id, name: subject.name, mentorEmail: assigned.email, deletedAt: null }],
  });
  t.equal((await exportOf(null)).status, 401);
});
