import { createHmac, randomBytes } from 'node:crypto';
import t from 'tap';
import { account, shareIdentity, signed, startIdentity, webhookSecret } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

t.test('user.created creates a learner once, also with repeated deliveries', async (t) => {
  const { webhook, as, signIn, events } = await emptyIdentity();
  const responses = [await webhook('user.created', account('idp_1')), await webhook('user.created', account('idp_1'))];
  t.same(
    responses.map(({ status, body }) => [status, body]),
    [
      [200, { success: true, data: { status: 'processed' } }],
      [200, { success: true, data: { status: 'duplicate' } }],
    ],
  );
  const boss = await signIn('boss');
  const { data } = (await as(boss).get('/api/users?search=idp_1')).body;
  t.match(data, [
    { identityProviderId: 'idp_1', email: 'idp_1@lms.test', emailVerified: true, firstName: 'Ann', roles: ['LEARNER'] },
  ]);
  t.equal((await events()).filter(({ aggregateId }) => aggregateId === data[0].id).length, 1);
});

t.test('twenty concurrent deliveries of a message have one effect', async (t) => {
  const { webhook, events } = await emptyIdentity();
  const responses = await Promise.all(Array.from({ length: 20 }, () => webhook('user.created', account('idp_1'))));
  const statuses = responses.map(({ body }) => body.data.status).sort();
  t.same(statuses, [...Array.from({ length: 19 }, () => 'duplicate'), 'processed']);
  t.equal((await events()).length, 1);
});

t.test('a message id can be as long as a header, and an Idempotency-Key is ignored', async (t) => {
  const { send } = await emptyIdentity();
  const [id, timestamp] = [randomBytes(4_000).toString('hex'), String(Math.floor(Date.now() / 1_000))];
  const payload = JSON.stringify({ type: 'user.created', data: account('idp_1') });
  const mac = createHmac('sha256', webhookSecret).update(`${id}.${timestamp}.${payload}`).digest('base64');
  const svix = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${mac}` };
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'x'.repeat(200), ...svix };
  for (const status of ['processed', 'duplicate'])
    t.match(await send('POST', '/api/webhooks/identity', { headers, payload }), {
      status: 200,
      body: { data: { status } },
    });
});

t.test('a captured Svix message is a duplicate with webhook-* headers, and vice versa', async (t) => {
  const { send, events } = await emptyIdentity();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const payloadOf = (userId: string) =>
    // Without a time only the id distinguishes a repetition from a later change.
    JSON.stringify({ type: 'user.updated', data: account(userId, { updated_at: undefined }) });
  const deliver = (family: string, id: string, payload: string) => {
    const mac = createHmac('sha256', webhookSecret).update(`${id}.${timestamp}.${payload}`).digest('base64');
    const signature = {
      [`${family}-id`]: id,
      [`${family}-timestamp`]: timestamp,
      [`${family}-signature`]: `v1,${mac}`,
    };
    const headers = { 'content-type': 'application/json', ...signature };
    return send('POST', '/api/webhooks/identity', { headers, payload });
  };
  for (const [captured, replayed] of [
    ['svix', 'webhook'],
    ['webhook', 'svix'],
  ] as const) {
    const payload = payloadOf(`idp_${captured}`);
    t.match((await deliver(captured, `msg_${captured}`, payload)).body.data, { status: 'processed' });
    await deliver(captured, `msg_${captured}_later`, payload.replace('Ann', 'Bea'));
    t.match((await deliver(replayed, `msg_${captured}`, payload)).body.data, { status: 'duplicate' }, replayed);
  }
  t.match(
    (await events()).map(({ data }) => data),
    ['Ann', 'Bea', 'Ann', 'Bea'].map((firstName) => ({ firstName })),
    'no change was reverted',
  );
});

t.test('a message without an id is identified by its body in every scheme', async (t) => {
  const { webhook, send } = await startIdentity(t, {
    webhooks: { keys: [Buffer.from(webhookSecret)], acceptUntimestamped: true },
  });
  const payload = JSON.stringify({ type: 'user.created', data: account('idp_1') });
  t.match((await webhook('', {}, { body: payload })).body.data, { status: 'processed' });
  t.match((await webhook('', {}, { body: payload, age: 60 })).body.data, { status: 'duplicate' });
  const mac = createHmac('sha256', webhookSecret).update(payload).digest();
  for (const signature of [`sha256=${mac.toString('hex')}`, mac.toString('hex'), mac.toString('base64')]) {
    const headers = { 'content-type': 'application/json', 'x-webhook-signature': signature };
    const { status, body } = await send('POST', '/api/webhooks/identity', { headers, payload });
    t.match({ status, body }, { status: 200, body: { data: { status: 'duplicate' } } }, signature);
  }
});

t.test('e-mails can be objects with `email_address` or `email`, or plain strings', async (t) => {
  const { webhook, as, signIn } = await emptyIdentity();
  const shapes: Record<string, { email_addresses: unknown[]; primary_email_address_id?: string | null }> = {
    'a string': { email_addresses: ['One@lms.test'] },
    'an object with email': { email_addresses: [{ email: 'one@lms.test' }] },
    'the first of several': { email_addresses: ['one@lms.test', { email: 'two@lms.test' }] },
    'the primary one among strings': {
      email_addresses: ['two@lms.test', { id: 'mail', email: 'one@lms.test' }],
      primary_email_address_id: 'mail',
    },
    'email_address before email': { email_addresses: [{ email_address: 'one@lms.test', email: 'two@lms.test' }] },
  };
  const boss = await signIn('boss');
  for (const [index, [title, shape]] of Object.entries(shapes).entries()) {
    const id = `idp_${index}`;
    const response = await webhook('user.created', account(id, { primary_email_address_id: undefined, ...shape }));
    t.match(response.body, { data: { status: 'processed' } }, title);
    const { data } = (await as(boss).get('/api/users?search=one%40lms.test')).body;
    t.match(data, [{ identityProviderId: id, email: 'one@lms.test', emailVerified: true, roles: ['LEARNER'] }], title);
    await webhook('user.deleted', { id });
  }
  const unverified = { email: 'three@lms.test', verification: { status: 'unverified' } };
  await webhook('user.created', account('idp_three', { email_addresses: [unverified] }));
  t.match((await as(boss).get('/api/users?search=three%40lms.test')).body.data, [{ emailVerified: false }]);
  for (const entry of [
    {},
    { id: 'mail' },
    7,
    null,
    'invalid',
    { email: 'invalid' },
    { email: null },
    ['one@lms.test'],
  ]) {
    const { status, body } = await webhook('user.created', account('idp_4', { email_addresses: [entry] }));
    t.equal(status, 422, JSON.stringify(entry));
    t.match(body.details.field, /^data\.email_addresses\.0/, JSON.stringify(entry));
  }
});

t.test('the signature covers the bytes as sent', async (t) => {
  const { webhook, send } = await emptyIdentity();
  const spaced = `{ "type" : "user.created", "data" : ${JSON.stringify(account('idp_1'), null, 3)}, "number": 1.0e2 }`;
  t.match(await webhook('', {}, { body: spaced }), { status: 200, body: { data: { status: 'processed' } } });
  const headers = { 'content-type': 'application/json', ...signed(spaced) };
  const payload = JSON.stringify(JSON.parse(spaced));
  t.equal((await send('POST', '/api/webhooks/identity', { headers, payload })).status, 401);
});

t.test('a missing, wrong, old or future signature returns 401', async (t) => {
  const { webhook, send } = await emptyIdentity();
  const body = JSON.stringify({ type: 'user.created', data: account('idp_1') });
  const genuine = signed(body)['x-webhook-signature'] ?? '';
  const json = { 'content-type': 'application/json' };
  const post = (headers: Record<string, string>) =>
    send('POST', '/api/webhooks/identity', { headers: { ...json, ...headers }, payload: body });
  const attempts = {
    missing: await post({}),
    empty: await post({ 'x-webhook-signature': '' }),
    'another secret': await webhook('user.created', account('idp_1'), { secret: 'another secret of 24 bytes or more' }),
    'too old': await webhook('user.created', account('idp_1'), { age: 310 }),
    'from the future': await webhook('user.created', account('idp_1'), { age: -310 }),
    'no timestamp': await post({ 'x-webhook-signature': genuine.replace(/t=\d+,/, '') }),
    'two timestamps': await post({ 'x-webhook-signature': `t=1,${genuine}` }),
    'a timestamp with a tail': await post({ 'x-webhook-signature': genuine.replace(/t=(\d+)/, 't=$1x') }),
    'cut short': await post({ 'x-webhook-signature': genuine.slice(0, -2) }),
    'a stronger scheme that fails': await post({ 'x-webhook-signature': genuine, 'svix-id': 'msg_1' }),
  };
  for (const [title, { status, body: error }] of Object.entries(attempts)) {
    t.equal(status, 401, title);
    t.equal(error.code, 'INVALID_SIGNATURE', title);
  }
  t.equal((await post({ 'x-webhook-signature': `${genuine.replace('v1=', `v1=${'0'.repeat(64)},v1=`)}` })).status, 200);
});

t.test('texts that are not read, such as metadata that users write, cannot make an event invalid', async (t) => {
  const { webhook, as, signIn } = await emptyIdentity();
  const boss = await signIn('boss');
  const unusable = { nul: 'a\0b', 'key\0': 1, lone: '\ud800', marks: `e${'\u0301'.repeat(200)}` };
  const [email] = account('idp_1').email_addresses;
  const data = account('idp_1', {
    unsafe_metadata: unusable,
    email_addresses: [{ ...email, linked_to: [unusable] }],
  });
  t.match(await webhook('user.created', data), { status: 200, body: { data: { status: 'processed' } } });
  t.match((await as(boss).get('/api/users?search=idp_1')).body.data, [{ email: 'idp_1@lms.test', firstName: 'Ann' }]);
  t.match(await webhook('session.created', unusable), { status: 200, body: { data: { status: 'ignored' } } });
  t.equal((await webhook('user\0', {})).status, 422);
});

t.test('a signed body that is not JSON returns 400, an invalid one 422, and other types are ignored', async (t) => {
  const { webhook, send } = await emptyIdentity();
  for (const body of ['', '{', 'null x', '\xff{"type":"user.created"}', '{"type":"a","__proto__":{}}'])
    t.equal((await webhook('', {}, { body })).status, 400, body);
  const invalid: Record<string, unknown> = {
    data: 7,
    'data.id': { ...account('x'), id: undefined },
    'data.email_addresses': { ...account('x'), email_addresses: 'x@lms.test' },
    'data.email_addresses.0.email_address': { ...account('x'), email_addresses: [{ email_address: 'invalid' }] },
    'data.first_name': { ...account('x'), first_name: 'n'.repeat(201) },
    'data.last_name': { ...account('x'), last_name: 'a\0b' },
    'data.updated_at': { ...account('x'), updated_at: 'yesterday' },
  };
  for (const [field, data] of Object.entries(invalid)) {
    const { status, body } = await webhook('', {}, { body: JSON.stringify({ type: 'user.created', data }) });
    t.equal(status, 422, field);
    t.equal(body.details.field, field);
  }
  for (const body of ['[]', '7', '{}', '{"type":5,"data":{}}'])
    t.equal((await webhook('', {}, { body })).status, 422, body);
  for (const type of ['session.created', 'constructor', '__proto__'])
    t.match(await webhook(type, { id: 5 }), { status: 200, body: { data: { status: 'ignored' } } }, type);
  const payload = JSON.stringify({ type: 'user.created', data: account('x') });
  const plain = { 'content-type': 'text/plain', ...signed(payload) };
  t.equal((await send('POST', '/api/webhooks/identity', { headers: plain, payload })).status, 415);
  const huge = await webhook('', {}, { body: JSON.stringify({ type: 'x', data: 'x'.repeat(300_000) }) });
  t.equal(huge.status, 413);
});
