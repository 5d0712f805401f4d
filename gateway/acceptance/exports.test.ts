import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { adminToken, call, createCourse, createUser, gatewayUrl } from './system.ts';

const token = await adminToken();

t.test('an export is downloaded by its address, without a token', async (t) => {
  const { subject, topic } = await createCourse(token);
  const form = new FormData();
  form.append('topicId', topic.id);
  form.append('metadata', JSON.stringify({ name: 'Sheet' }));
  form.append('file', new File(['for the export'], 'sheet.txt'));
  const uploaded = await call('/api/s3/document/upload', { method: 'POST', token, form });
  t.equal(uploaded.status, 201);

  const body = { format: 'zip', includeMedia: true, rootType: 'subject', rootId: subject.id };
  const started = await call('/api/admin/education/exports', { method: 'POST', token, json: body });
  t.equal(started.status, 202);
  const path = `/api/admin/education/exports/${started.body.data.id}`;
  let job = started.body.data;
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(100)) {
    job = (await call(path, { token })).body.data ?? job;
    if (['completed', 'failed'].includes(job.status)) break;
  }
  t.match(job, { status: 'completed', percent: 100, error: null });
  t.ok(job.downloadUrl.startsWith(`${gatewayUrl}/api/education/exports/`));

  const { status, bytes, headers } = await call(job.downloadUrl);
  t.equal(status, 200);
  t.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, job.checksum);
  t.match(headers.get('content-disposition'), /^attachment; filename="curriculum-.*\.zip"$/);
  t.match(bytes.toString('latin1'), 'for the export', 'documents are stored as they are');
  const part = await call(job.downloadUrl, { headers: { range: 'bytes=10-19' } });
  t.strictSame([part.status, part.bytes], [206, bytes.subarray(10, 20)]);
  const head = await call(job.downloadUrl, { method: 'HEAD' });
  t.strictSame([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
  t.equal((await call(`${job.downloadUrl}x`)).status, 404);

  const learner = await createUser('learner');
  t.equal((await call(path, { token: learner.token })).status, 403);
  t.equal((await call(path)).status, 401);
});
