import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { signWebhook } from '../src/webhooks.ts';
import { type Received, receiveWebhooks } from './receive-webhooks.ts';
import { send, startProvider, waitFor } from './start-provider.ts';

const secret = 'a secret of more than 24 bytes';

function assertSigned(t: Test, { signature, raw, at }: Received, key: string | Buffer = secret): void {
  const [, time = '', digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  t.equal(digest, createHmac('sha256', key).update(`${time}.${raw}`).digest('hex'));
  t.ok(Math.abs(at / 1000 - Number(time)) < 60, 'the signature is recent');
}

t.test('the initial accounts and every change are sent, with a signature', async (t) => {
  const receiver = await receiveWebhooks(t);
  const { url } = await startProvider(t, { webhook: { url: receiver.url, secret } });
  const first = await receiver.waitForAccepted(3);
  t.same(
    first.map(({ event }) => event.type),
    ['user.created', 'user.created', 'user.created'],
  );

  const { body: user } = await send('POST', `${url}/users`, { email: 'n@lms.test', password: 'secret' });
  const { body: changed } = await send('PATCH', `${url}/users/${user.id}`, { firstName: 'Nia' });
  await send('DELETE', `${url}/users/${user.id}`);
  const all = await receiver.waitForAccepted(6);
  for (const received of all) assertSigned(t, received);
  const { email: _, ...created } = user;
  t.same(all[3]?.event, { type: 'user.created', data: created });
  t.match(
    all.slice(4).map(({ event }) => event),
    [
      { type: 'user.updated', data: { ...created, first_name: 'Nia', updated_at: changed.updated_at } },
      { type: 'user.deleted', data: { id: user.id, deleted: true, updated_at: Number } },
    ],
  );
  t.ok(Number(all[5]?.event.data.updated_at) > Number(changed.updated_at));
  t.notMatch(all.map(({ raw }) => raw).join(), /secret|scrypt/);
});

t.test('failed webhooks are retried with increasing delays, and the changes of a user stay in order', async (t) => {
  let failing = true;
  const receiver = await receiveWebhooks(t, ({ count }) => (failing ? ([500, 429, 401, 302][count % 4] ?? 503) : 204));
  const { url } = await startProvider(t, { webhook: { url: receiver.url, secret } });
  const { body: user } = await send('POST', `${url}/users`, { email: 'n@lms.test', password: 'secret' });
  await send('PATCH', `${url}/users/${user.id}`, { firstName: 'One' });
  await send('PATCH', `${url}/users/${user.id}`, { firstName: 'Two' });
  const attempts = () => receiver.received.filter(({ event }) => event.data.id === user.id);
  await waitFor(() => attempts().length >= 3);
  failing = false;
  await receiver.waitForAccepted(6);

  for (const received of receiver.received) assertSigned(t, received);
  const [one, two, three] = attempts();
  t.ok(one && two && three && two.at - one.at >= 450 && three.at - two.at >= 950, 'the delays double');
  const order = receiver.accepted().filter(({ event }) => event.data.id === user.id);
  t.same(
    order.map(({ event }) => event.data.first_name),
    [null, 'One', 'Two'],
  );
  t.equal(new Set(attempts().map(({ raw }) => raw)).size, 3, 'the body is the same at every attempt');
});

t.test('retries are at most five seconds apart', async (t) => {
  const receiver = await receiveWebhooks(t, () => 503);
  const lines: { userId: string; retryInMs: number }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const { url } = await startProvider(t, { webhook: { url: receiver.url, secret }, logger });
  const { body: user } = await send('POST', `${url}/users`, { email: 'n@lms.test', password: 'secret' });
  const delays = () => lines.filter(({ userId }) => userId === user.id).map(({ retryInMs }) => retryInMs);
  await waitFor(() => delays().length >= 5);
  t.same(delays().slice(0, 5), [500, 1_000, 2_000, 4_000, 5_000]);
});

t.test('a webhook that the receiver rejects is dropped, and the next one is sent', async (t) => {
  const receiver = await receiveWebhooks(t, ({ event }) => (event.type === 'user.created' ? 422 : 200));
  const { url } = await startProvider(t, { webhook: { url: receiver.url, secret } });
  const { body: user } = await send('POST', `${url}/users`, { email: 'n@lms.test', password: 'secret' });
  await send('PATCH', `${url}/users/${user.id}`, { firstName: 'Nia' });
  await receiver.waitForAccepted(1);
  const types = receiver.received.filter(({ event }) => event.data.id === user.id).map(({ event }) => event.type);
  t.same(types, ['user.created', 'user.updated']);
});

t.test('accounts, keys and pending webhooks survive a restart', async (t) => {
  let down = true;
  const receiver = await receiveWebhooks(t, () => (down ? 503 : 200));
  const webhook = { url: receiver.url, secret };
  const before = await startProvider(t, { webhook });
  const { body: user } = await send('POST', `${before.url}/users`, { email: 'n@lms.test', password: 'secret' });
  await send('PATCH', `${before.url}/users/${user.id}`, { firstName: 'Nia' });
  const { body: keys } = await send('GET', `${before.url}/jwks`);
  await waitFor(() => receiver.received.length > 0);
  await before.close();
  down = false;

  const after = await startProvider(t, { webhook, file: before.file });
  const accepted = await receiver.waitForAccepted(5);
  const ours = accepted.filter(({ event }) => event.data.id === user.id);
  t.same(
    ours.map(({ event }) => event.type),
    ['user.created', 'user.updated'],
  );
  t.match(await send('GET', `${after.url}/users/${user.id}`), { status: 200, body: { first_name: 'Nia' } });
  t.strictSame((await send('GET', `${after.url}/jwks`)).body, keys);
  await waitFor(async () => JSON.parse(await readFile(before.file, 'utf8')).deliveries.length === 0);
  await after.close();
  const count = receiver.received.length;
  const third = await startProvider(t, { webhook, file: before.file });
  await send('DELETE', `${third.url}/users/${user.id}`);
  await receiver.waitForAccepted(6);
  t.equal(receiver.received.length, count + 1, 'delivered webhooks are not sent again');
});

t.test('without a receiver webhooks wait for one', async (t) => {
  const before = await startProvider(t);
  await send('POST', `${before.url}/users`, { email: 'n@lms.test', password: 'secret' });
  await before.close();
  const receiver = await receiveWebhooks(t);
  await startProvider(t, { webhook: { url: receiver.url, secret }, file: before.file });
  t.equal((await receiver.waitForAccepted(4)).length, 4);
});

t.test('a secret may be whsec_ and base64', async (t) => {
  const key = Buffer.from('0123456789abcdef0123456789abcdef');
  const header = signWebhook(`whsec_${key.toString('base64')}`, '{"a": 1}', 1_700_000_000);
  const digest = createHmac('sha256', key).update('1700000000.{"a": 1}').digest('hex');
  t.equal(header, `t=1700000000,v1=${digest}`);
});
