import { caller, passports } from '@lms/auth/passports';
import { exportPath } from '@lms/contracts/internal/export';
import { createServer } from '@lms/service/create-server';
import { createServiceClient } from '@lms/service/service-client';
import { passportHeaders, testPassportKey } from '@lms/testing/principals';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startIdentity } from './identity.ts';

/** A neighbour that answers over real HTTP, to whom the passport says. */
async function startHolder(t: Test, held: (userId: string) => unknown) {
  const app = createServer({ logger: pino({ level: 'silent' }) });
  await app.register(passports, { publicKey: testPassportKey });
  app.get(exportPath, async (request) => ({ success: true, data: held(caller(request).userId) }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const neighbour = createServiceClient(url);
  t.teardown(async () => {
    await neighbour.close();
    await app.close();
  });
  return { neighbour, stop: () => app.close() };
}

t.test('the export gathers what every service holds about the caller', async (t) => {
  const content = await startHolder(t, () => ({}));
  const media = await startHolder(t, () => ({ documents: [] }));
  const enrollment = await startHolder(t, (userId) => ({ enrollments: [{ userId }], notes: [] }));
  const holders = { content: content.neighbour, media: media.neighbour, enrollment: enrollment.neighbour };
  const { as, signIn, send } = await startIdentity(t, { exportClients: holders });
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
  t.equal(again.headers.etag, headers.etag, 'the same as long as nothing else is held');
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

t.test('a holder that answers nonsense or is not there is named', async (t) => {
  const content = await startHolder(t, () => 'nothing');
  const { as, signIn, anonymous } = await startIdentity(t, {
    exportClients: { content: content.neighbour, media: undefined },
  });
  const { status, body } = await as(await signIn('ann')).get('/api/auth/profile/export');
  t.equal(status, 503);
  t.same(body.details, { missing: ['content', 'media'] });
  t.equal((await anonymous.get('/api/auth/profile/export')).status, 401);
});
