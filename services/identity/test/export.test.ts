import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { caller, passports } from '@lms/auth/passports';
import { exportPath } from '@lms/contracts/internal/export';
import type { Principal } from '@lms/contracts/passport';
import { createServer } from '@lms/service/create-server';
import { createServiceClient } from '@lms/service/service-client';
import { passportHeaders, testPassportKey } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { fromBufferPromise } from 'yauzl';
import { startIdentity } from './identity.ts';

/** Starts a service with an export route over HTTP. It returns the data of the passport's user. */
async function startExportService(t: Test, dataOf: (userId: string) => unknown) {
  const app = createServer({ logger: pino({ level: 'silent' }) });
  await app.register(passports, { publicKey: testPassportKey });
  app.get(exportPath, async (request) => ({ success: true, data: await dataOf(caller(request).userId) }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const client = createServiceClient(url, { timeoutMs: 30_000 });
  t.teardown(async () => {
    await client.close();
    await app.close();
  });
  return { client, stop: () => app.close() };
}

t.test('the export collects the data of the caller from every service', async (t) => {
  const content = await startExportService(t, () => ({}));
  const media = await startExportService(t, () => ({ documents: [] }));
  const enrollment = await startExportService(t, (userId) => ({ enrollments: [{ userId }], notes: [] }));
  const exportClients = { content: content.client, media: media.client, enrollment: enrollment.client };
  const { as, signIn, send } = await startIdentity(t, { exportClients });
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  await as(ann).post('/api/mentor/apply', { motivation: 'To teach' });
  await as(boss).put(`/api/users/${ann.userId}`, { plan: 'PRO' });

  const { status, body, headers } = await as(ann).get('/api/auth/profile/export');
  t.equal(status, 200);
  t.match(body.data, {
    exportedAt: /Z$/,
    user: { id: ann.userId, email: 'ann@lms.test', plan: 'PRO' },
    mentorApplications: [{ userId: ann.userId, motivation: 'To teach', status: 'PENDING' }],
    changes: [{ action: 'user.updated', changes: { plan: { from: 'FREE', to: 'PRO' } } }],
    content: {},
    media: { documents: [] },
    enrollment: { enrollments: [{ userId: ann.userId }], notes: [] },
  });

  const again = await as(ann).get('/api/auth/profile/export');
  t.equal(again.headers.etag, headers.etag, 'the ETag is the same while the data is the same');
  const known = { ...passportHeaders(ann), 'if-none-match': String(headers.etag) };
  t.equal((await send('GET', '/api/auth/profile/export', { headers: known })).status, 304);
  await as(ann).put('/api/auth/profile', { firstName: 'Ann' });
  t.equal((await send('GET', '/api/auth/profile/export', { headers: known })).status, 200);

  await enrollment.stop();
  const partial = await as(ann).get('/api/auth/profile/export');
  t.equal(partial.status, 503);
  t.match(partial.body, { code: 'SERVICE_UNAVAILABLE', details: { missing: ['enrollment'] } });
  t.match(partial.headers['retry-after'], /^\d+$/);
});

async function readArchive(bytes: Buffer) {
  const archive = await fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry())
    entries.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  return entries;
}

t.test('the export as an archive has one file for each kind of data, and a manifest', async (t) => {
  const content = await startExportService(t, () => ({ mentorAssignments: [{ id: 'subject' }] }));
  const media = await startExportService(t, () => ({ documents: [{ id: 'document' }] }));
  const enrollment = await startExportService(t, (userId) => ({ enrollments: [{ userId }, { userId }], notes: [] }));
  const exportClients = { content: content.client, media: media.client, enrollment: enrollment.client };
  const { app, as, signIn } = await startIdentity(t, { exportClients });
  const ann = await signIn('ann');
  await as(ann).post('/api/mentor/apply', { motivation: 'To teach' });

  const download = (method: 'GET' | 'HEAD', given = {}) =>
    app.inject({ method, url: '/api/auth/profile/export?format=zip', headers: { ...passportHeaders(ann), ...given } });
  const { statusCode, headers, rawPayload } = await download('GET');
  t.equal(statusCode, 200);
  t.match(headers, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="profile.zip"' });
  const entries = await readArchive(rawPayload);
  const read = (name: string) => JSON.parse(String(entries.get(name)));
  const { files, ...manifest } = read('manifest.json');
  t.match(manifest, { version: 1, createdAt: /Z$/, userId: ann.userId });
  t.same(Object.fromEntries(files.map(({ name, count }: { name: string; count: number }) => [name, count])), {
    'account.json': 1,
    'roles.json': 1,
    'applications.json': 1,
    'changes.json': 0,
    'mentor-assignments.json': 1,
    'enrollments.json': 2,
    'progress.json': 0,
    'notes.json': 0,
    'uploads/documents.json': 1,
    'uploads/videos.json': 0,
    'uploads/captions.json': 0,
  });
  for (const { name, size, sha256 } of files) {
    const bytes = entries.get(name) ?? Buffer.alloc(0);
    t.same([bytes.length, createHash('sha256').update(bytes).digest('hex')], [size, sha256], name);
  }
  t.match(read('account.json'), { id: ann.userId, email: 'ann@lms.test', userRoles: undefined });
  t.match(read('roles.json'), [{ role: 'LEARNER', isActive: true }]);
  t.match(read('applications.json'), [{ motivation: 'To teach' }]);
  t.same(read('enrollments.json'), [{ userId: ann.userId }, { userId: ann.userId }]);

  t.equal((await download('GET', { 'if-none-match': headers.etag })).statusCode, 304);
  t.not((await as(ann).get('/api/auth/profile/export')).headers.etag, headers.etag);
  t.match(await download('HEAD'), { statusCode: 200, body: '' });
  t.equal((await as(ann).get('/api/auth/profile/export?format=tar')).status, 422);
  await media.stop();
  const partial = await download('GET');
  t.match(partial.json(), { code: 'SERVICE_UNAVAILABLE', details: { missing: ['media'] } }, 'never a partial archive');
});

t.test('a service with an invalid response or without a URL is named', async (t) => {
  const content = await startExportService(t, () => 'nothing');
  const { as, signIn, anonymous } = await startIdentity(t, {
    exportClients: { content: content.client, media: undefined },
  });
  const { status, body } = await as(await signIn('ann')).get('/api/auth/profile/export');
  t.equal(status, 503);
  t.same(body.details, { missing: ['content', 'media'] });
  t.equal((await anonymous.get('/api/auth/profile/export')).status, 401);
});

t.test('the data of one user is collected at a time; other exports are refused after a moment', async (t) => {
  const collecting: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const content = await startExportService(t, async (userId) => {
    collecting.push(userId);
    await released;
    return {};
  });
  const clients = { content: content.client };
  const { as, signIn } = await startIdentity(t, { exportClients: clients });
  const users = [await signIn('ann'), await signIn('bob'), await signIn('cleo')];
  const exportOf = (user: Principal) => as(user).get('/api/auth/profile/export');
  const [ann, ...others] = users;
  if (!ann) throw new Error('no user');
  const first = exportOf(ann);
  await waitFor(() => collecting.length > 0);
  for (const refused of await Promise.all([ann, ...others].map(exportOf)))
    t.match(refused, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' }, headers: { 'retry-after': '5' } });
  t.same(collecting, [ann.userId]);
  release();
  t.equal((await first).status, 200);
  for (const user of others) t.equal((await exportOf(user)).status, 200);
});

t.test(
  'clients that do not read large exports hold up neither small ones nor, once they leave, large ones',
  async (t) => {
    // More than the buffers of a connection.
    const notes = Array.from({ length: 300 }, () => 'x'.repeat(50_000));
    const small = new Set<string>();
    const enrollment = await startExportService(t, (userId) => (small.has(userId) ? {} : { notes }));
    const { app, signIn } = await startIdentity(t, { exportClients: { enrollment: enrollment.client } });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const begin = async (user: Principal) => {
      const request = get(`${url}/api/auth/profile/export`, { headers: passportHeaders(user) });
      const [response] = await once(request, 'response');
      t.teardown(() => response.destroy());
      return response;
    };
    const [ann, bob, cleo, dan] = [await signIn('ann'), await signIn('bob'), await signIn('cleo'), await signIn('dan')];
    small.add(dan.userId);
    const unread = [await begin(ann), await begin(bob)];
    t.same(
      unread.map(({ statusCode }) => statusCode),
      [200, 200],
    );
    t.match(await begin(cleo), { statusCode: 503, headers: { 'retry-after': '5' } });
    t.equal((await begin(dan)).statusCode, 200);
    unread[0].destroy();
    await waitFor(async () => (await begin(cleo)).statusCode === 200);
  },
);
