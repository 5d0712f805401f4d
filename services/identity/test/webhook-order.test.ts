import { createRegistry } from '@lms/telemetry/registry';
import { untilLocked } from '@lms/testing/database';
import t from 'tap';
import { account, type Identity, shareIdentity, startIdentity, webhookSecret } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

const mail = (address: string, status: string | null = 'verified') => ({
  email_addresses: [{ id: 'mail', email_address: address, verification: status && { status } }],
});

function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of orders(items.filter((_, other) => other !== index))) yield [item, ...rest];
}

async function stateOf({ as, signIn }: Identity, identityProviderId: string) {
  const boss = await signIn('boss');
  const { data } = (await as(boss).get('/api/users?limit=100')).body;
  const user = data.find((one: { identityProviderId: string }) => one.identityProviderId === identityProviderId);
  if (!user) return 'unknown';
  const { email, emailVerified, firstName, lastName, status, roles } = user;
  return { email, emailVerified, firstName, lastName, status, roles };
}

t.test('created and updated converge in every order of arrival and with repeated deliveries', async (t) => {
  const identity = await emptyIdentity();
  let round = 0;
  const events = (id: string) =>
    [
      ['user.created', account(id, { ...mail(`${id}.1@lms.test`), updated_at: 1_000 })],
      ['user.updated', account(id, { ...mail(`${id}.2@lms.test`), first_name: 'Bea', updated_at: 2_000 })],
      [
        'user.updated',
        account(id, { ...mail(`${id}.3@lms.test`), first_name: 'Cleo', updated_at: '1970-01-01T00:00:03.000Z' }),
      ],
    ] as const;
  for (const order of orders([0, 1, 2])) {
    round += 1;
    const id = `idp_${round}`;
    for (const index of [...order, ...order]) {
      const [type, data] = events(id)[index] ?? [];
      if (type) t.equal((await identity.webhook(type, data)).status, 200);
    }
    t.same(
      await stateOf(identity, id),
      {
        email: `${id}.3@lms.test`,
        emailVerified: true,
        firstName: 'Cleo',
        lastName: 'Smith',
        status: 'ACTIVE',
        roles: ['LEARNER'],
      },
      order.join(),
    );
  }
});

t.test('a deletion is final in every order of arrival', async (t) => {
  const identity = await emptyIdentity();
  let round = 0;
  for (const order of orders(['created', 'updated', 'deleted'])) {
    round += 1;
    const id = `idp_${round}`;
    const statuses = [];
    for (const type of order) {
      const data = type === 'deleted' ? { id } : account(id, { updated_at: type === 'created' ? 1_000 : 2_000 });
      statuses.push((await identity.webhook(`user.${type}`, data)).body.data.status);
    }
    const deletion = order.indexOf('deleted');
    t.same(new Set(statuses.slice(deletion + 1)), deletion === 2 ? new Set() : new Set(['stale']), order.join());
    const state = await stateOf(identity, id);
    if (deletion === 0) t.equal(state, 'unknown');
    else t.match(state, { status: 'INACTIVE', roles: [] });
    const token = await identity.resolve({ identityProviderId: id });
    const refused = token.status === 403 ? token.body.code : token.body.data.status;
    t.match(refused, /INACTIVE/, 'a token of the deleted account is rejected');
  }
});

t.test('concurrent deliveries converge', async (t) => {
  const identity = await emptyIdentity();
  const updates = Array.from({ length: 12 }, (_, index) =>
    identity.webhook('user.updated', account('idp_1', { first_name: `Name ${index}`, updated_at: 1_000 + index })),
  );
  const responses = await Promise.all([identity.webhook('user.created', account('idp_1')), ...updates]);
  t.same(new Set(responses.map(({ status }) => status)), new Set([200]));
  t.match(await stateOf(identity, 'idp_1'), { firstName: 'Name 11', roles: ['LEARNER'] });
});

t.test('two states of the same millisecond converge in both orders', async (t) => {
  const results = [];
  for (const order of [
    ['Ann', 'Bea'],
    ['Bea', 'Ann'],
  ]) {
    const identity = await emptyIdentity();
    for (const first_name of order)
      await identity.webhook('user.updated', account('idp_1', { first_name, updated_at: 5_000 }));
    results.push(await stateOf(identity, 'idp_1'));
  }
  t.match(results[0], { firstName: /^(Ann|Bea)$/ });
  t.same(results[0], results[1]);
});

t.test('without times the last update applies, and a creation never reverts an update', async (t) => {
  const { webhook, ...rest } = await emptyIdentity();
  const undated = (first_name: string) =>
    account('idp_1', { first_name, created_at: undefined, updated_at: undefined });
  const statuses = [];
  for (const [type, name] of [
    ['created', 'A'],
    ['updated', 'B'],
    ['updated', 'C'],
    ['updated', 'D'],
    ['created', 'E'],
  ])
    statuses.push((await webhook(`user.${type}`, undated(name ?? ''))).body.data.status);
  t.same(statuses, ['processed', 'processed', 'processed', 'processed', 'stale']);
  t.match(await stateOf({ webhook, ...rest }, 'idp_1'), { firstName: 'D' });
});

t.test('an update without a time applies among dated ones and does not change their order', async (t) => {
  const identity = await emptyIdentity();
  const undated = { updated_at: undefined };
  const statuses = [];
  for (const [type, given] of [
    ['created', { first_name: 'A' }],
    ['updated', { first_name: 'B', updated_at: 5_000 }],
    ['updated', { first_name: 'C', ...undated }],
    ['updated', { first_name: 'D', updated_at: 4_000 }],
    ['updated', { first_name: 'E', ...undated }],
    ['created', { first_name: 'F', ...undated, created_at: undefined }],
  ] as const)
    statuses.push((await identity.webhook(`user.${type}`, account('idp_1', given))).body.data.status);
  t.same(statuses, ['processed', 'processed', 'processed', 'stale', 'processed', 'stale']);
  t.match(await stateOf(identity, 'idp_1'), { firstName: 'E' });
  await identity.webhook('user.updated', account('idp_1', { first_name: 'G', updated_at: 6_000 }));
  t.match(await stateOf(identity, 'idp_1'), { firstName: 'G' });
});

t.test('a late creation does not revert an update without a time', async (t) => {
  const identity = await emptyIdentity();
  await identity.webhook('user.updated', account('idp_1', { first_name: 'B', updated_at: undefined }));
  t.equal((await identity.webhook('user.created', account('idp_1'))).body.data.status, 'stale');
  t.match(await stateOf(identity, 'idp_1'), { firstName: 'B' });
});

t.test('the primary e-mail is used, or else the first; it is verified unless its status differs', async (t) => {
  const identity = await emptyIdentity();
  const two = [
    { id: 'a', email_address: 'First@LMS.test' },
    { id: 'b', email_address: 'second@lms.test', verification: { status: 'unverified' } },
  ];
  const cases: [object, object][] = [
    [
      { email_addresses: two, primary_email_address_id: 'b' },
      { email: 'second@lms.test', emailVerified: false },
    ],
    [
      { email_addresses: two, primary_email_address_id: 'c' },
      { email: 'first@lms.test', emailVerified: true },
    ],
    [
      { email_addresses: two, primary_email_address_id: null },
      { email: 'first@lms.test', emailVerified: true },
    ],
    [mail('x@lms.test', null), { email: 'x@lms.test', emailVerified: true }],
    [mail('x@lms.test', 'expired'), { email: 'x@lms.test', emailVerified: false }],
  ];
  for (const [index, [given, expected]] of cases.entries()) {
    await identity.webhook('user.updated', account('idp_1', { ...given, updated_at: 1_000 + index }));
    t.match(await stateOf(identity, 'idp_1'), expected);
  }
  const none = await identity.webhook('user.created', account('idp_2', { email_addresses: [] }));
  t.equal(none.body.data.status, 'ignored', 'an account without an e-mail cannot be a user');
});

t.test('an e-mail of another verified user is a counted conflict; a retry succeeds once it is free', async (t) => {
  const registry = createRegistry();
  const identity = await startIdentity(t, { registry });
  await identity.webhook('user.created', account('idp_1', mail('one@lms.test')));
  const rival = account('idp_2', mail('ONE@lms.test'));
  for (let times = 0; times < 2; times += 1)
    t.match(await identity.webhook('user.created', rival), { status: 200, body: { data: { status: 'conflict' } } });
  t.equal(await stateOf(identity, 'idp_2'), 'unknown');
  t.match(await stateOf(identity, 'idp_1'), { email: 'one@lms.test' });
  t.match(await registry.metrics(), /identity_webhooks_total\{scheme="timestamped",secret="1",outcome="conflict"\} 2/);

  await identity.webhook('user.updated', account('idp_1', { ...mail('new@lms.test'), updated_at: 2_000 }));
  t.equal((await identity.webhook('user.created', rival)).body.data.status, 'processed');
  t.match(await stateOf(identity, 'idp_2'), { email: 'one@lms.test' });
});

t.test('deliveries are counted by scheme, secret and outcome, including refused ones', async (t) => {
  const registry = createRegistry();
  const older = 'the old secret during a rotation of secrets';
  const webhooks = { keys: [older, webhookSecret].map((text) => Buffer.from(text)), acceptUntimestamped: false };
  const identity = await startIdentity(t, { registry, webhooks });
  await identity.webhook('user.created', account('idp_1'));
  await identity.webhook('user.created', account('idp_1'), { secret: older });
  await identity.webhook('user.created', account('idp_1'), { secret: 'a secret that is not configured at all' });
  await identity.webhook('user.created', { id: 7 });
  await identity.send('POST', '/api/webhooks/identity', {
    headers: { 'content-type': 'application/json', 'svix-id': 'a', 'svix-timestamp': '1', 'svix-signature': 'v1,a' },
    payload: '{}',
  });
  const text = await registry.metrics();
  for (const labels of [
    'scheme="timestamped",secret="2",outcome="processed"',
    'scheme="timestamped",secret="1",outcome="duplicate"',
    'scheme="timestamped",secret="2",outcome="failed"',
    'scheme="timestamped",secret="none",outcome="refused"',
    'scheme="svix",secret="none",outcome="refused"',
  ])
    t.match(text, `identity_webhooks_total{${labels}} 1`);
});

t.test('unverified e-mails displace no user and yield to verified ones', async (t) => {
  const identity = await emptyIdentity();
  await identity.webhook('user.created', account('idp_1', mail('boss@lms.test', 'unverified')));
  t.match(await stateOf(identity, 'idp_1'), { emailVerified: false, roles: ['LEARNER'] }, 'it makes no admin');
  t.match(
    await stateOf(identity, 'idp_1'),
    { email: /^displaced-.*@invalid$/ },
    'the real owner has signed in meanwhile',
  );
  const late = await identity.webhook('user.created', account('idp_3', mail('boss@lms.test', 'unverified')));
  t.equal(late.body.data.status, 'conflict');
});

t.test('every event of an account after its deletion is a deletion', async (t) => {
  const identity = await emptyIdentity();
  await identity.webhook('user.created', account('idp_1', mail('ann@lms.test')));
  await identity.webhook('user.deleted', { id: 'idp_1' });
  await identity.webhook('user.created', account('idp_2', mail('ann@lms.test')));
  const events = await identity.events();
  const former = events.filter(({ aggregateId }) => aggregateId === events[0]?.aggregateId);
  t.same(
    former.map(({ type }) => type),
    ['identity.user.created', 'identity.user.deleted', 'identity.user.deleted'],
  );
  t.match(former.at(-1)?.data, { email: /^displaced-/ });
});

t.test('names that the user edited are not overwritten by older states', async (t) => {
  const identity = await emptyIdentity();
  await identity.webhook('user.created', account('idp_1'));
  const ann = (await identity.resolve({ identityProviderId: 'idp_1' })).body.data;
  await identity.as(ann).put('/api/auth/profile', { firstName: 'Nina' });
  await identity.webhook('user.updated', account('idp_1', { ...mail('late@lms.test'), updated_at: 2_000 }));
  t.match(await stateOf(identity, 'idp_1'), { firstName: 'Nina', email: 'late@lms.test' });
  await identity.webhook('user.updated', account('idp_1', { first_name: 'Olga', updated_at: Date.now() + 1_000 }));
  t.match(await stateOf(identity, 'idp_1'), { firstName: 'Olga' });
});

t.test('names that the user edits while an older state arrives are kept', async (t) => {
  const identity = await emptyIdentity();
  const { sql } = identity.database;
  await identity.webhook('user.created', account('idp_1'));
  // As the transaction of PUT /api/auth/profile, which has not been committed yet.
  const arriving = await sql.begin(async (tx) => {
    await tx`update users set first_name = 'Nina', names_edited_at = now() where identity_provider_id = 'idp_1'`;
    const older = { ...mail('late@lms.test'), updated_at: 2_000 };
    const sent = identity.webhook('user.updated', account('idp_1', older));
    await untilLocked(identity.database);
    return { sent };
  });
  t.match((await arriving.sent).body, { data: { status: 'processed' } });
  t.match(await stateOf(identity, 'idp_1'), { firstName: 'Nina', email: 'late@lms.test' });
});
