import t from 'tap';
import { send, signIn, startProvider } from './start-provider.ts';

t.test('a created user is returned as in the webhook, and can sign in', async (t) => {
  const { url } = await startProvider(t);
  const given = { email: 'New@lms.test', password: 'secret', firstName: 'Nia', emailVerified: false };
  const { status, body } = await send('POST', `${url}/users`, given);
  t.equal(status, 201);
  t.match(body, {
    id: /^user_/,
    email: 'New@lms.test',
    email_addresses: [{ email_address: 'New@lms.test', verification: { status: 'unverified' } }],
    first_name: 'Nia',
    last_name: null,
    created_at: Number,
    updated_at: Number,
  });
  t.match(body.email_addresses, [{ id: body.primary_email_address_id }]);
  t.notMatch(JSON.stringify(body), /password|scrypt/);
  t.same((await send('GET', `${url}/users/${body.id}`)).body, body);
  t.equal((await signIn(url, 'new@lms.test', 'secret')).status, 200);
});

t.test('the e-mail of a user is verified by default', async (t) => {
  const { url } = await startProvider(t);
  const { body } = await send('POST', `${url}/users`, { email: 'plain@lms.test', password: 'secret' });
  t.match(body.email_addresses, [{ verification: { status: 'verified' } }]);
});

t.test('changes take effect, and each increases updated_at', async (t) => {
  const { url } = await startProvider(t);
  const { body: user } = await send('POST', `${url}/users`, { email: 'a@lms.test', password: 'one', lastName: 'Alt' });
  const change = (body: object) => send('PATCH', `${url}/users/${user.id}`, body);
  const stamps = [user.updated_at];
  const renamed = await change({ firstName: 'Ann', lastName: null });
  t.match(renamed, { status: 200, body: { first_name: 'Ann', last_name: null, email: 'a@lms.test' } });
  const moved = await change({ email: 'b@lms.test', emailVerified: false, password: 'two' });
  t.match(moved.body, { email: 'b@lms.test', email_addresses: [{ verification: { status: 'unverified' } }] });
  t.not(moved.body.primary_email_address_id, user.primary_email_address_id);
  stamps.push(renamed.body.updated_at, moved.body.updated_at);
  t.same(stamps, [...new Set(stamps)].sort());

  t.equal((await signIn(url, 'a@lms.test', 'one')).status, 400);
  t.equal((await signIn(url, 'b@lms.test', 'one')).status, 400);
  t.equal((await signIn(url, 'b@lms.test', 'two')).status, 200);
});

t.test('an e-mail is unique, regardless of case, also for concurrent requests', async (t) => {
  const { url } = await startProvider(t);
  const create = (email: string) => send('POST', `${url}/users`, { email, password: 'secret' });
  const responses = await Promise.all(['x@lms.test', 'X@lms.test', 'x@LMS.test'].map(create));
  t.same(responses.map(({ status }) => status).sort(), [201, 409, 409]);
  const { body: other } = await create('y@lms.test');
  const taken = await send('PATCH', `${url}/users/${other.id}`, { email: 'ADMIN@lms.test' });
  t.match(taken, { status: 409, body: { error: 'email_taken' } });
  t.equal(
    (await send('PATCH', `${url}/users/${other.id}`, { email: 'Y@lms.test' })).status,
    200,
    'the case may change',
  );
});

t.test('invalid users are rejected', async (t) => {
  const { url } = await startProvider(t);
  const bodies = [
    {},
    { email: 'a@lms.test' },
    { email: 'not an address', password: 'x' },
    { email: 'a@lms.test', password: '' },
    { email: 'a@lms.test', password: 1 },
    { email: 'a@lms.test', password: 'x', emailVerified: 'yes' },
    [],
  ];
  for (const body of bodies) {
    const response = await send('POST', `${url}/users`, body);
    t.match(response, { status: 422, body: { error: 'validation_failed' } }, JSON.stringify(body));
  }
  t.equal((await send('POST', `${url}/users`, '{"email":')).status, 400);
});

t.test('unknown users return 404', async (t) => {
  const { url } = await startProvider(t);
  const unknown = `${url}/users/user_unknown`;
  t.equal((await send('GET', unknown)).status, 404);
  t.equal((await send('PATCH', unknown, { firstName: 'X' })).status, 404);
  t.equal((await send('DELETE', unknown)).status, 404);
  const { body } = await send('POST', `${url}/users`, { email: 'z@lms.test', password: 'secret' });
  t.equal((await send('PATCH', `${url}/users/${body.id}`, {})).status, 422);
  const json = { 'content-type': 'application/json' };
  t.match(await send('DELETE', `${url}/users/${body.id}`, undefined, json), {
    status: 200,
    body: { id: body.id, deleted: true },
  });
  t.equal((await send('GET', `${url}/users/${body.id}`)).status, 404);
  t.equal((await send('POST', `${url}/users`, { email: 'z@lms.test', password: 'secret' })).status, 201);
});
