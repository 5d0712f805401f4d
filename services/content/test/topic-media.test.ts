import { createId } from '@lms/database/columns';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const { call, createBranch, enroll, identity } = await startContent(t);

const mentor = testPrincipal(['MENTOR', 'LEARNER']);
const guided = () => createBranch({ subject: { mentorId: mentor.identityProviderId } });

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

t.test('a video is set, replaced and taken off, each time with what it was before', async (t) => {
  const { topic } = await guided();
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

t.test('documents are appended and taken off, all of those that arrive at once', async (t) => {
  const { topic } = await guided();
  const path = `/internal/topics/${topic.id}/documents`;
  const entries = Array.from({ length: 8 }, () => entry());
  const answers = await Promise.all([...entries, ...entries].map((body) => call('POST', path, { as: mentor, body })));
  t.ok(answers.every(({ status }) => status === 201));
  const read = async () => (await call('GET', `/api/education/topics/${topic.id}`, { as: mentor })).json.data;
  const { documents, documentCount } = await read();
  t.equal(documentCount, 8);
  t.same(documents.map(({ id }: { id: string }) => id).sort(), entries.map(({ id }) => id).sort());
  t.match(documents[0], { url: /^https:\/\/lms\.test\/api\/s3\/document\/stream\?key=/ });

  const [one] = entries;
  t.same((await call('DELETE', `${path}/${one?.id}`, { as: mentor })).json.data, one);
  t.equal((await call('DELETE', `${path}/${one?.id}`, { as: mentor })).status, 404);
  t.equal((await read()).documentCount, 7);
  const { topic: other } = await guided();
  const foreign = `/internal/topics/${other.id}/documents/${entries[1]?.id}`;
  t.equal((await call('DELETE', foreign, { as: admin })).status, 404, "another topic's");
});

t.test('only administrators and the mentor of the subject change them', async (t) => {
  const { topic } = await guided();
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

t.test('what an old passport says is looked up before it may change anything', async (t) => {
  const { topic } = await guided();
  const path = `/internal/principals/${mentor.userId}`;
  const attempt = (age: number) =>
    call('POST', `/internal/topics/${topic.id}/documents`, {
      headers: passportHeaders(mentor, { age }),
      body: entry(),
    });

  identity.says(path, { ...mentor, roles: ['LEARNER'] });
  t.equal((await attempt(5)).status, 201, 'a fresh one speaks for itself');
  t.match(await attempt(25), { status: 403, json: { code: 'FORBIDDEN' } }, 'no mentor since half a minute');
  t.match(await attempt(3_600), { status: 403, json: { code: 'FORBIDDEN' } }, 'no mentor any more');
  identity.says(path, { ...mentor, status: 'SUSPENDED' });
  t.match(await attempt(3_600), { status: 403, json: { code: 'ACCOUNT_SUSPENDED' } });
  identity.fails(path, 404);
  t.match(await attempt(3_600), { status: 403, json: { code: 'ACCOUNT_INACTIVE' } }, 'gone');
  identity.fails(path, 503);
  t.equal((await attempt(3_600)).status, 503, 'nobody can tell');
  identity.says(path, mentor);
  t.equal((await attempt(3_600)).status, 201);
  t.equal((await attempt(7 * 3_600)).status, 401, 'too old for anything');
  const publicly = await call('GET', `/api/education/topics/${topic.id}`, {
    headers: passportHeaders(mentor, { age: 120 }),
  });
  t.equal(publicly.status, 401, 'old ones are for internal routes only');
});

t.test('who was suspended sees no more of a film, though the passport in its URL is young', async (t) => {
  const { subject, topic } = await guided();
  const learner = testPrincipal();
  enroll(subject.id);
  const see = () =>
    call('GET', `/internal/topics/${topic.id}/access`, { headers: passportHeaders(learner, { age: 25 }) });
  identity.says(`/internal/principals/${learner.userId}`, learner);
  t.match(await see(), { status: 200, json: { data: { read: { granted: true } } } });
  identity.says(`/internal/principals/${learner.userId}`, { ...learner, status: 'SUSPENDED' });
  t.match(await see(), { status: 403, json: { code: 'ACCOUNT_SUSPENDED' } });
});

t.test('a neighbour reads a subject in any state, and its live topics in order', async (t) => {
  const { subject, grade, topic } = await guided();
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
  t.equal((await call('GET', `/internal/subjects/${createId()}/topics`)).status, 404);
});

t.test('people are told which subjects are in their hands', async (t) => {
  const somebody = testPrincipal(['MENTOR', 'LEARNER']);
  const ask = (as: typeof somebody | null) => call('GET', '/internal/export', { as });
  t.same((await ask(somebody)).json.data, {});
  const { subject } = await createBranch({
    subject: { mentorId: somebody.identityProviderId, mentorEmail: somebody.email },
  });
  t.same((await ask(somebody)).json.data, {
    mentorAssignments: [{ subjectId: subject.id, name: subject.name, mentorEmail: somebody.email, deletedAt: null }],
  });
  t.equal((await ask(null)).status, 401);
});
