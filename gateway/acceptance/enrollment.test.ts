import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { adminToken, call, createCourse, createUser } from './system.ts';

const handout = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

const uploadForm = (topicId: string, bytes = handout) => {
  const form = new FormData();
  form.append('file', new File([bytes], 'Übung 1.pdf', { type: 'text/html' }));
  form.append('metadata', JSON.stringify({ name: 'Handout', description: 'To print' }));
  form.append('topicId', topicId);
  return form;
};

t.test('a learner requests an enrollment, is approved, and reads a document that a mentor uploaded', async (t) => {
  const admin = await adminToken();
  const [mentor, learner, otherLearner] = await Promise.all([
    createUser('mentor'),
    createUser('learner'),
    createUser('other-learner'),
  ]);

  const profile = await call('/api/auth/profile', { token: mentor.token });
  t.match(profile, { status: 200, body: { success: true, data: { email: mentor.email, roles: ['LEARNER'] } } });
  const assigned = await call(`/api/users/${profile.body.data.id}/roles`, {
    method: 'POST',
    token: admin,
    json: { role: 'MENTOR' },
  });
  t.match(assigned, { status: 201, body: { data: { role: 'MENTOR', isActive: true } } });
  await until(async () =>
    (await call('/api/auth/profile', { token: mentor.token })).body.data?.roles.includes('MENTOR'),
  );

  const { subject, topic } = await createCourse(admin, mentor);
  const outline = await call(`/api/education/topics/${topic.id}`);
  t.match(outline, {
    status: 200,
    body: { data: { content: null, documents: [], access: { granted: false, reason: 'AUTHENTICATION_REQUIRED' } } },
  });

  const upload = await call('/api/s3/document/upload', {
    method: 'POST',
    token: mentor.token,
    form: uploadForm(topic.id),
  });
  t.match(upload, {
    status: 201,
    body: { data: { name: 'Handout', fileName: 'Übung 1.pdf', mimeType: 'application/pdf', size: handout.length } },
  });
  const seen = await call(`/api/education/topics/${topic.id}`, { token: mentor.token });
  t.match(seen.body.data, {
    content: 'The protected content',
    documents: [{ id: upload.body.data.id }],
    access: { granted: true, reason: null },
  });

  const stream = `/api/s3/document/stream?key=${encodeURIComponent(upload.body.data.key)}`;
  t.match(await call(stream), { status: 401, body: { code: 'UNAUTHORIZED' } }, 'not without a token');
  t.match(
    await call(stream, { token: learner.token }),
    { status: 403, body: { code: 'ENROLLMENT_REQUIRED' } },
    'not before the enrollment',
  );

  const request = await call('/api/enrollment/request', {
    method: 'POST',
    token: learner.token,
    json: { subjectId: subject.id },
  });
  t.match(request, { status: 201, body: { data: { status: 'PENDING', source: 'REQUEST' } } });
  const again = await call('/api/enrollment/request', {
    method: 'POST',
    token: learner.token,
    json: { subjectId: subject.id },
  });
  t.match(again, { status: 409, body: { success: false, code: 'CONFLICT' } });
  const pending = await call('/api/admin/enrollment/pending?order=desc&limit=100', { token: admin });
  t.ok(pending.body.data.some((each: { id: string }) => each.id === request.body.data.id));
  const approve = `/api/admin/enrollment/${request.body.data.id}/approve`;
  t.match(await call(approve, { method: 'PUT', token: learner.token }), {
    status: 403,
    body: { code: 'FORBIDDEN', details: { required: ['ADMIN'] } },
  });
  t.match(await call(approve, { method: 'PUT', token: admin }), {
    status: 200,
    body: { data: { status: 'APPROVED' } },
  });
  t.match(await call(approve, { method: 'PUT', token: admin }), {
    status: 409,
    body: { code: 'INVALID_STATE', details: { current: 'APPROVED' } },
  });

  const whole = await call(stream, { token: learner.token });
  t.match(whole, { status: 200 });
  t.ok(whole.bytes.equals(handout), 'the bytes that were uploaded');
  const part = await call(stream, { token: learner.token, headers: { range: 'bytes=0-7' } });
  t.match(part, { status: 206 });
  t.equal(part.bytes.toString(), '%PDF-1.4');
  t.match(await call(`/api/education/topics/${topic.id}`, { token: learner.token }), {
    body: { data: { content: 'The protected content' } },
  });
  t.match(await call(stream, { token: otherLearner.token }), { status: 403, body: { code: 'ENROLLMENT_REQUIRED' } });
});

t.test('an assigned role takes effect without a new token', async (t) => {
  const admin = await adminToken();
  const user = await createUser('colleague');
  const { body } = await call('/api/auth/profile', { token: user.token });
  t.match(await call('/api/users', { token: user.token }), { status: 403, body: { code: 'FORBIDDEN' } });
  await call(`/api/users/${body.data.id}/roles`, { method: 'POST', token: admin, json: { role: 'ADMIN' } });
  await until(async () => (await call('/api/users', { token: user.token })).status === 200);
  t.equal((await call('/api/users', { token: user.token })).status, 200);
});

t.test('every error has the same envelope', async (t) => {
  const cases: [string, Parameters<typeof call>[1], number, string][] = [
    ['/api/nothing/here', {}, 404, 'NOT_FOUND'],
    ['/api/users', {}, 401, 'UNAUTHORIZED'],
    ['/api/users', { token: 'not.a.token' }, 401, 'UNAUTHORIZED'],
    ['/api/education/levels', { token: 'not.a.token' }, 401, 'UNAUTHORIZED'],
    ['/api/education/levels', { method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED'],
    ['/api/education/levels/not-an-id/grades', {}, 404, 'NOT_FOUND'],
    ['/api/education/levels?limit=101', {}, 422, 'VALIDATION_ERROR'],
    ['/api/education/levels%00', {}, 400, 'VALIDATION_ERROR'],
  ];
  for (const [path, options, status, code] of cases) {
    const response = await call(path, options);
    t.match(
      response,
      { status, body: { success: false, code, error: String, requestId: String } },
      `${path} → ${status}`,
    );
    t.equal(response.headers.get('x-request-id'), response.body?.requestId);
    t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  }
});

/** The gateway learns of a changed role by an event. */
async function until(holds: () => Promise<boolean>) {
  const deadline = Date.now() + 30_000;
  while (!(await holds()) && Date.now() < deadline) await pause(20);
}
