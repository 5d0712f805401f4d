import { createHash } from 'node:crypto';
import { subjectEvents } from '@lms/contracts/events/content';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { openTransaction } from '@lms/database/open-transaction';
import { deadLetters } from '@lms/events/tables';
import { untilLocked } from '@lms/testing/database';
import { passportHeaders } from '@lms/testing/principals';
import t from 'tap';
import type { AuditRow } from '../src/audit/repository.ts';
import { consumers } from '../src/consumers.ts';
import { account, shareIdentity } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

/** Handles the event that content publishes when the mentor of a subject changes. */
async function consumeMentorChange(db: Db, mentorId: { from: string | null; to: string | null }) {
  const handlers = consumers.flatMap((consumer) => consumer.handlers);
  const handler = handlers.find(({ type }) => type === subjectEvents.updated.type);
  const headers = { 'ce-actorid': createId(), 'ce-time': new Date().toISOString() };
  const body = JSON.stringify({ id: createId(), version: 1, changes: { mentorId } });
  await handler?.handle(db, { id: createId(), aggregateId: '', subject: '', body, headers });
}

t.test('anonymizing removes all personal data and closes the account permanently', async (t) => {
  const { as, resolve, signIn, webhook, events, database, anonymous, send } = await emptyIdentity();
  const boss = await signIn('boss');
  const claims = { identityProviderId: 'idp_ann', email: 'ann@lms.test', firstName: 'Annabel', lastName: 'Zuckerman' };
  const ann = (await resolve(claims)).body.data;
  const { post, get, put } = as(boss);
  await put(`/api/users/${ann.userId}`, { lastName: 'Zuckermann', statusReason: 'Likes Zucker' });
  const application = { motivation: 'I, Annabel Zuckermann', subjectIds: [createId()] };
  const headers = { ...passportHeaders(ann), 'idempotency-key': 'once' };
  await send('POST', '/api/mentor/apply', { headers, payload: application });
  const hint = { userId: 'idp_ann', email: 'ann@lms.test' };
  await send('POST', '/api/auth/sync', { headers: { 'idempotency-key': 'anonymous' }, payload: hint });
  await consumeMentorChange(database.db, { from: null, to: 'idp_ann' });

  await database.db.insert(deadLetters).values({
    ...{ consumer: 'identity-audit-content', eventId: createId(), subject: subjectEvents.updated.subject, attempts: 8 },
    ...{
      body: JSON.stringify({ id: createId(), mentorId: 'idp_ann' }),
      headers: {},
      error: 'Error: the disk was full',
    },
  });

  const { status, body } = await post(`/api/users/${ann.userId}/anonymize`);
  t.equal(status, 200);
  t.match(body.data, {
    id: ann.userId,
    identityProviderId: null,
    email: `anonymized-${ann.userId}@invalid`,
    emailVerified: false,
    firstName: null,
    lastName: null,
    status: 'INACTIVE',
    statusReason: null,
    roles: [],
  });
  t.equal(body.data.userRoles.length, 1, 'the history stays');
  t.match((await events()).at(-1), { type: 'identity.user.deleted', data: { identityProviderId: null, roles: [] } });

  const dump = JSON.stringify(
    await Promise.all(
      [
        'users',
        'user_roles',
        'outbox',
        'audit_entries',
        'mentor_applications',
        'departures',
        'inbox',
        'idempotency_keys',
        'dead_letters',
      ].map((table) => database.sql`select * from ${database.sql(table)}`),
    ),
  );
  t.notMatch(dump, /annabel|zucker|idp_ann|ann@lms/i, 'no table holds personal data');
  t.match((await get(`/api/admin/mentor?userId=${ann.userId}`)).body.data, [{ status: 'WITHDRAWN', motivation: null }]);
  t.match((await get(`/api/admin/audit?action=user.anonymized`)).body.data, [{ entityId: ann.userId }]);

  t.match(await resolve(claims), { status: 403, body: { code: 'ACCOUNT_INACTIVE' } });
  t.equal((await webhook('user.updated', account('idp_ann', { updated_at: 9e12 }))).body.data.status, 'stale');
  t.equal((await anonymous.post('/api/auth/sync', { userId: 'idp_ann', email: 'ann@lms.test' })).status, 403);
  const again = await post(`/api/users/${ann.userId}/anonymize`);
  t.same(again.body.data, body.data, 'repeating it changes nothing');
  await consumeMentorChange(database.db, { from: 'idp_ann', to: null });
  await consumeMentorChange(database.db, { from: 'idp_bea', to: null });
  t.same(
    (await get(`/api/admin/audit?entity=subject&order=asc`)).body.data.map(({ changes }: AuditRow) => changes.mentorId),
    [
      { from: null, to: null },
      { from: null, to: null },
      { from: 'idp_bea', to: null },
    ],
    'that the mentor changed stays in the trail, not who it was',
  );
  t.equal((await resolve({ identityProviderId: 'idp_ann2', email: 'ann@lms.test' })).status, 200, 'the e-mail is free');
});

type Webhook = Awaited<ReturnType<typeof emptyIdentity>>['webhook'];
/** Sends the provider's state of an account, as of a time in milliseconds. */
const describeWith = (webhook: Webhook) => (name: string, email: string, updated_at: number) =>
  webhook('user.updated', {
    ...account(`idp_${name}`, { updated_at }),
    email_addresses: [{ email_address: email }],
  });

t.test('the event has hashes of all identifiers, except e-mails that belong to another user now', async (t) => {
  const { as, signIn, webhook, events, database } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const describe = describeWith(webhook);
  await describe('ann', 'Ann.Second@lms.test', 2_000);
  await describe('ann', 'ann.third@lms.test', 3_000);
  t.match(await describe('bea', 'ann@lms.test', 4_000), { body: { data: { status: 'processed' } } });
  await as(boss).post(`/api/users/${ann.userId}/anonymize`);

  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const data = Object((await events()).at(-1)?.data);
  const known = ['idp_ann', 'ann.second@lms.test', 'ann.third@lms.test'];
  t.same(data.identifierHashes.toSorted(), known.map(hash).sort());
  const [row] = await database.sql`select former_email_hashes from users where id = ${ann.userId}`;
  t.same(row?.former_email_hashes, [], 'and they are not stored any longer');
});

t.test("another user's events keep the e-mail that this user has, also if it is taken over meanwhile", async (t) => {
  const { as, signIn, webhook, database } = await emptyIdentity();
  const [boss, ann, bea] = [await signIn('boss'), await signIn('ann'), await signIn('bea')];
  const describe = describeWith(webhook);
  await describe('bea', 'second@lms.test', 2_000);
  await describe('ann', 'bea@lms.test', 3_000);
  const { anonymizing } = await database.sql.begin(async (sql) => {
    await sql`lock table idempotency_keys`;
    const anonymizing = as(boss).post(`/api/users/${ann.userId}/anonymize`);
    await untilLocked(database);
    await describe('cleo', 'ann@lms.test', 4_000);
    return { anonymizing };
  });
  t.equal((await anonymizing).status, 200);
  const emails = await database.sql`
    select data ->> 'email' as email, changes from outbox
    where aggregate_id <> ${ann.userId} and type in ('identity.user.created', 'identity.user.updated') order by ordinal`;
  t.match(
    emails.filter(({ email }) => !email.startsWith('boss')),
    [
      { email: `anonymized-${ann.userId}@invalid` },
      { email: 'second@lms.test', changes: null },
      { email: 'ann@lms.test' },
    ],
  );
  t.equal((await database.sql`select email from users where id = ${bea.userId}`)[0]?.email, 'second@lms.test');
});

t.test('anonymizing can be repeated with an Idempotency-Key', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const anonymize = () => as(boss, { 'idempotency-key': 'once' }).post(`/api/users/${ann.userId}/anonymize`);
  const first = await anonymize();
  t.match(first, { status: 200, body: { data: { id: ann.userId, status: 'INACTIVE' } } });
  t.match(await anonymize(), { status: 200, headers: { 'idempotency-replayed': 'true' }, body: first.body });
});

t.test('an anonymized user cannot be changed or reactivated', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const { post, put, delete: remove } = as(boss);
  await post(`/api/users/${ann.userId}/anonymize`);
  for (const response of [
    await put(`/api/users/${ann.userId}`, { status: 'ACTIVE' }),
    await put(`/api/users/${ann.userId}`, { firstName: 'Ann' }),
    await post(`/api/users/${ann.userId}/roles`, { role: 'LEARNER' }),
    await as(ann).put('/api/auth/profile', { firstName: 'Ann' }),
    await as(ann).post('/api/mentor/apply', { motivation: 'I, Ann' }),
    await remove(`/api/users/${ann.userId}/roles`, { role: 'LEARNER' }),
  ])
    t.match(response, { status: 409, body: { code: 'INVALID_STATE', details: { current: 'INACTIVE' } } });
});

t.test('only admins can anonymize, and never themselves, the last admin or unknown users', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const own = await as(boss).post(`/api/users/${boss.userId}/anonymize`);
  t.match(own, { status: 409, body: { code: 'INVALID_STATE' } });
  const deputy = { ...ann, roles: ['ADMIN' as const] };
  const last = await as(deputy).post(`/api/users/${boss.userId}/anonymize`);
  t.match(last, { status: 409, body: { code: 'LAST_ADMIN' } });
  t.equal((await as(ann).post(`/api/users/${boss.userId}/anonymize`)).status, 403);
  for (const id of ['x', createId()]) t.equal((await as(boss).post(`/api/users/${id}/anonymize`)).status, 404);
});

t.test('concurrent tokens and webhooks of the same identity do not prevent anonymizing', async (t) => {
  const { as, signIn, webhook, resolve } = await emptyIdentity();
  const boss = await signIn('boss');
  for (let round = 0; round < 4; round += 1) {
    const { userId, identityProviderId } = await signIn(`ann${round}`);
    const busy = Array.from({ length: 4 }, (_, index) => [
      resolve({ identityProviderId, email: `ann${round}@lms.test` }),
      webhook('user.updated', account(identityProviderId, { updated_at: 2_000 + index })),
    ]).flat();
    const responses = await Promise.all([
      ...busy,
      as(boss).post(`/api/users/${userId}/anonymize`),
      webhook('user.deleted', { id: identityProviderId }),
    ]);
    t.ok(
      responses.every(({ status }) => status === 200 || status === 403),
      'no request gets a 500',
    );
    t.match((await as(boss).get(`/api/users/${userId}`)).body.data, {
      identityProviderId: null,
      status: 'INACTIVE',
      roles: [],
    });
  }
});

t.test('a provider id that an account loses while it is anonymized can register again', async (t) => {
  const { as, signIn, anonymous, resolve, database } = await emptyIdentity();
  const boss = await signIn('boss');
  const { body } = await anonymous.post('/api/auth/sync', { userId: 'idp_ann', email: 'bea@lms.test' });
  const { id } = body.data;
  const [anonymizing] = await database.sql.begin(async (sql) => {
    await sql`select from users where id = ${id} for update`;
    const anonymizing = as(boss).post(`/api/users/${id}/anonymize`);
    await untilLocked(database);
    // As when another user verifies the e-mail of a hint.
    await sql`update users set identity_provider_id = null, deleted_at = now() where id = ${id}`;
    return [anonymizing];
  });
  t.equal((await anonymizing)?.status, 200);
  t.equal((await resolve({ identityProviderId: 'idp_ann', email: 'ann@lms.test' })).status, 200);
});

t.test(
  'an entry of the audit trail that is added during the anonymization of a mentor does not name them',
  async (t) => {
    const { as, signIn, database } = await emptyIdentity();
    const [boss, ann] = [await signIn('boss'), await signIn('ann')];
    const { tx, commit } = await openTransaction(database.db);
    await consumeMentorChange(tx, { from: 'idp_ann', to: null });
    const anonymizing = as(boss).post(`/api/users/${ann.userId}/anonymize`);
    await Promise.race([anonymizing, untilLocked(database)]);
    await commit();
    t.equal((await anonymizing).status, 200);
    t.match((await as(boss).get('/api/admin/audit?entity=subject')).body.data, [
      { changes: { mentorId: { from: null } } },
    ]);
  },
);

t.test('no user can claim the e-mail that another gets when anonymized', async (t) => {
  const { as, resolve, signIn, webhook, anonymous } = await emptyIdentity();
  const boss = await signIn('boss');
  const ann = await signIn('ann');
  const email = `Anonymized-${ann.userId}@Invalid`;
  const hint = await anonymous.post('/api/auth/sync', { userId: 'idp_eve', email });
  t.match(hint, { status: 422, body: { code: 'VALIDATION_ERROR', details: { field: 'email', value: email } } });
  t.match(await resolve({ identityProviderId: 'idp_eve', email }), { status: 403, body: { code: 'FORBIDDEN' } });
  const { body } = await webhook('user.created', account('idp_eve', { email_addresses: [email] }));
  t.same(body.data, { status: 'ignored' });
  t.equal((await as(boss).post(`/api/users/${ann.userId}/anonymize`)).status, 200);
});
