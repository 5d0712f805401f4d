import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const content = await startContent(t);
const { call, createBranch, enroll, enrollment, identity } = content;

t.test('administrators, the mentor and enrolled learners can read the protected content of a topic', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const { subject, topic } = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
  const path = `/api/education/topics/${topic.id}`;
  enroll(subject.id, false);

  t.match((await call('GET', path)).json.data, { content: null, access: { reason: 'AUTHENTICATION_REQUIRED' } });
  for (const outsider of [
    testPrincipal(),
    testPrincipal(['MENTOR', 'LEARNER']),
    testPrincipal(['LEARNER'], { identityProviderId: mentor.identityProviderId }),
  ])
    t.match((await call('GET', path, { as: outsider })).json.data, {
      content: null,
      access: { granted: false, reason: 'ENROLLMENT_REQUIRED' },
    });
  const learner = testPrincipal();
  enroll(subject.id);
  for (const entitled of [admin, mentor, learner]) {
    const { json } = await call('GET', path, { as: entitled });
    t.match(json.data, { content: 'One and one is two', access: { granted: true, reason: null } });
    const { json: list } = await call('GET', `/api/education/subjects/${subject.id}/topics`, { as: entitled });
    t.same(list.data, [json.data]);
  }
});

t.test('an assignment by e-mail only requires that the mentor has verified the e-mail', async (t) => {
  const { subject, topic } = await createBranch({ subject: { mentorEmail: 'Ada@LMS.test' } });
  enroll(subject.id, false);
  const granted = async (emailVerified: boolean) => {
    const ada = testPrincipal(['MENTOR', 'LEARNER'], { email: 'ada@lms.test', emailVerified });
    return (await call('GET', `/api/education/topics/${topic.id}`, { as: ada })).json.data.access.granted;
  };
  t.equal(await granted(true), true);
  t.equal(await granted(false), false);
});

t.test('granted access is cached until the enrollment changes; denied access is not cached', async (t) => {
  const learner = testPrincipal();
  const { subject, topic } = await createBranch();
  const path = `/api/education/topics/${topic.id}`;
  const requestCount = () => enrollment.requests.filter((path) => path.includes(subject.id)).length;
  enroll(subject.id, false);
  await call('GET', path, { as: learner });
  enroll(subject.id);
  await call('GET', path, { as: learner });
  await call('GET', path, { as: learner });
  t.equal(requestCount(), 2, 'granted access is cached, denied access is not');
  enroll(subject.id, false);
  content.entitlement.invalidate(learner.userId, subject.id);
  t.equal((await call('GET', path, { as: learner })).json.data.access.granted, false);
  t.equal(
    (await call('GET', path, { as: testPrincipal() })).json.data.access.granted,
    false,
    'the cache entry is per user',
  );
});

t.test('a response that arrives after the enrollment has changed is not cached', async (t) => {
  const learner = testPrincipal();
  const { subject, topic } = await createBranch();
  const accessPath = `/internal/subjects/${subject.id}/access`;
  enroll(subject.id);
  const release = enrollment.delay(accessPath);
  const pending = call('GET', `/api/education/topics/${topic.id}`, { as: learner });
  await waitFor(() => enrollment.requests.includes(accessPath));
  enroll(subject.id, false);
  content.entitlement.invalidate(learner.userId, subject.id);
  release();
  t.equal((await pending).json.data.access.granted, true, 'as when the request was sent');
  const { json } = await call('GET', `/api/education/topics/${topic.id}`, { as: learner });
  t.equal(json.data.access.granted, false);
});

t.test('a list of topics that change while access is checked is consistent, and not cached', async (t) => {
  const learner = testPrincipal();
  const { subject, topic } = await createBranch();
  const other = await content.create('topics', {
    name: 'Powers',
    description: 'Squares',
    content: 'x',
    subjectId: subject.id,
  });
  const path = `/api/education/subjects/${subject.id}/topics`;
  const read = (query = '') => call('GET', path + query, { as: learner });
  const names = async (query = '') => (await read(query)).json.data.map(({ name }: { name: string }) => name);
  const subjectPath = `/api/admin/education/subjects/${subject.id}`;
  const setActive = (isActive: boolean) => call('PUT', subjectPath, { as: admin, body: { isActive } });
  const accessPath = `/internal/subjects/${subject.id}/access`;
  enroll(subject.id, false);
  const readDuring = async (change: () => Promise<unknown>, query = '') => {
    const release = enrollment.delay(accessPath);
    const count = enrollment.requests.length;
    const pending = read(query);
    await waitFor(() => enrollment.requests.length > count);
    await change();
    release();
    return pending;
  };

  t.match(await readDuring(() => setActive(false)), { status: 404, json: { code: 'NOT_FOUND' } });
  await setActive(true);
  t.same(await names(), ['Sums', 'Powers']);

  const { json } = await readDuring(
    () => call('DELETE', `/api/admin/education/topics/${topic.id}`, { as: admin }),
    '?limit=5',
  );
  t.match(json, { data: [{ id: other.id }], pagination: { total: 1 } });
  t.equal(json.data.length, 1);
  t.same(await names('?limit=5'), ['Powers']);
});

t.test('granted access is not cached beyond the end of the enrollment', async (t) => {
  const learner = testPrincipal();
  const { subject, topic } = await createBranch();
  const respond = (data: Record<string, unknown>) =>
    enrollment.respondWith(`/internal/subjects/${subject.id}/access`, { subjectId: subject.id, ...data });
  respond({ granted: true, expiresAt: new Date(Date.now() - 1).toISOString() });
  await call('GET', `/api/education/topics/${topic.id}`, { as: learner });
  respond({ granted: false, expiresAt: null });
  const { json } = await call('GET', `/api/education/topics/${topic.id}`, { as: learner });
  t.equal(json.data.access.granted, false);
});

t.test('without the enrollment service lists return the outline, and a single topic returns 503', async (t) => {
  const { subject, topic } = await createBranch();
  const learner = testPrincipal();
  enrollment.failWith(`/internal/subjects/${subject.id}/access`, 503);
  const list = await call('GET', `/api/education/subjects/${subject.id}/topics`, { as: learner });
  t.equal(list.status, 200);
  t.match(list.json.data, [{ id: topic.id, content: null, access: { granted: false, reason: null } }]);
  const single = await call('GET', `/api/education/topics/${topic.id}`, { as: learner });
  t.equal(single.status, 503);
  t.ok(single.headers['retry-after']);
  t.equal(
    (await call('GET', `/api/education/topics/${topic.id}`)).status,
    200,
    'anonymous callers need no enrollment request',
  );
  t.equal((await call('GET', `/api/education/topics/${topic.id}`, { as: admin })).status, 200);
});

t.test('with public visibility everyone can read the text, but not the video and the documents', async (t) => {
  const open = await startContent(t, { contentIsPublic: true });
  const { topic, subject } = await open.createBranch();
  const { json } = await open.call('GET', `/api/education/topics/${topic.id}`);
  t.match(json.data, { content: 'One and one is two', videoUrl: null, access: { granted: false } });
  const { json: list } = await open.call('GET', `/api/education/subjects/${subject.id}/topics`);
  t.match(list.data, [{ content: 'One and one is two', access: { granted: false } }]);
});

t.test('the internal route returns whether the caller may read and manage a topic', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const { subject, topic } = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
  const getAccess = (as: typeof mentor | null) => call('GET', `/internal/topics/${topic.id}/access`, { as });
  enroll(subject.id, false);
  t.same((await getAccess(null)).json.data, {
    topicId: topic.id,
    subjectId: subject.id,
    read: { granted: false, reason: 'AUTHENTICATION_REQUIRED' },
    manage: false,
  });
  t.match((await getAccess(testPrincipal())).json.data, {
    read: { granted: false, reason: 'ENROLLMENT_REQUIRED' },
    manage: false,
  });
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const access = { subjectId: subject.id, granted: true, expiresAt };
  enrollment.respondWith(`/internal/subjects/${subject.id}/access`, access);
  const learner = testPrincipal();
  for (const title of ['at first', 'from the cache'])
    t.match((await getAccess(learner)).json.data, { read: { granted: true, expiresAt }, manage: false }, title);
  t.match((await getAccess(mentor)).json.data, { read: { granted: true }, manage: true });
  t.match((await getAccess(admin)).json.data, { read: { granted: true }, manage: true });
  t.equal((await call('GET', `/internal/topics/${createId()}/access`, { as: admin })).status, 404);

  const hidden = await createBranch({ topic: { isActive: false } });
  const path = `/internal/topics/${hidden.topic.id}/access`;
  enroll(hidden.subject.id);
  t.equal((await call('GET', path, { as: testPrincipal() })).status, 404);
  t.match((await call('GET', path, { as: admin })).json.data, { manage: true });
});

t.test('lists of topics show changes at once, and each caller only what they may read', async (t) => {
  const learner = testPrincipal();
  const { subject, topic } = await createBranch();
  enroll(subject.id);
  const list = `/api/education/subjects/${subject.id}/topics`;
  const read = async (as: typeof learner | null, headers = {}) => {
    const { status, json, headers: received } = await call('GET', list, { as, headers });
    return { status, topics: json?.data, etag: String(received.etag), link: received.link };
  };
  const first = await read(learner);
  t.same(await read(learner), first, 'the same response, with its headers');
  t.match(first, { topics: [{ name: 'Sums', content: 'One and one is two' }], link: /rel="first"/ });
  t.match(await read(null), { topics: [{ content: null, access: { reason: 'AUTHENTICATION_REQUIRED' } }] });
  const longUrl = `${list}?unknown=${'x'.repeat(6_500)}`;
  for (const time of ['first', 'second'])
    t.notOk((await call('GET', longUrl, { as: learner })).headers.link, `no link if it is too long, the ${time} time`);
  t.match(await read(learner, { 'if-none-match': first.etag }), { status: 304, topics: undefined });

  const changed = { name: 'Differences', content: 'Two less one is one' };
  await call('PUT', `/api/admin/education/topics/${topic.id}`, { as: admin, body: changed });
  const second = await read(learner, { 'if-none-match': first.etag });
  t.match(second, { status: 200, topics: [changed] });
  t.not(second.etag, first.etag);
  t.match(await read(null), { topics: [{ name: changed.name, content: null }] });

  enroll(subject.id, false);
  content.entitlement.invalidate(learner.userId, subject.id);
  t.match(await read(learner), { topics: [{ content: null, access: { reason: 'ENROLLMENT_REQUIRED' } }] });
  await call('DELETE', `/api/admin/education/topics/${topic.id}`, { as: admin });
  t.match(await read(admin), { topics: [] });
});

t.test('a download under way is checked without the cache', async (t) => {
  const { subject, topic } = await createBranch();
  const learner = testPrincipal();
  const isGranted = async (query = '') =>
    (await call('GET', `/internal/topics/${topic.id}/access${query}`, { as: learner })).json.data.read.granted;
  enroll(subject.id);
  t.equal(await isGranted(), true);
  enroll(subject.id, false);
  t.equal(await isGranted(), true, 'cached');
  const principal = `/internal/principals/${learner.userId}`;
  identity.respondWith(principal, learner);
  t.equal(await isGranted('?fresh=true'), false);
  identity.respondWith(principal, { ...learner, status: 'SUSPENDED' });
  const suspended = await call('GET', `/internal/topics/${topic.id}/access?fresh=true`, { as: learner });
  t.match(suspended, { status: 403, json: { code: 'ACCOUNT_SUSPENDED' } }, 'whatever the age of the passport');
});
