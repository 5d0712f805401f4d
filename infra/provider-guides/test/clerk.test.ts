import { createHmac } from 'node:crypto';
import t from 'tap';
import { accountInactive, notSynchronised, profileOfAda, unauthorized } from './expected-responses.ts';
import { readGuide } from './read-guide.ts';
import { startSystem } from './start-system.ts';

const guide = readGuide('clerk');
const token = guide.json('token-by-default');

/** Sends a webhook as Svix does: id, time and body are signed with the decoded secret. */
async function send(url: string, secret: string, payload: object, id: string) {
  const body = JSON.stringify(payload);
  const time = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': time,
    'svix-signature': `v1,${mac}`,
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  return JSON.parse(await response.text()).data;
}

/** Fills the dashboard's template with a user's values. */
function fillIn(template: Record<string, unknown>, user: Record<string, unknown>) {
  const fill = (text: unknown) => user[/^\{\{user\.(\w+)\}\}$/.exec(String(text))?.[1] ?? ''];
  return Object.fromEntries(Object.entries(template).map(([name, text]) => [name, fill(text)]));
}

const ada = {
  primary_email_address: 'learner@lms.example',
  email_verified: true,
  first_name: 'Ada',
  last_name: 'Learner',
};

t.test('a session token without the custom claims is accepted only for users known from a webhook', async (t) => {
  const { profile, webhookUrl, secret } = await startSystem(t, guide);
  t.match(await profile(token), notSynchronised);
  t.match(await send(webhookUrl, secret, guide.json('webhook created'), 'msg_1'), { status: 'processed' });
  t.match(await profile(token), profileOfAda);
});

t.test('a session token with the custom claims is accepted if the e-mail is verified', async (t) => {
  const { profile } = await startSystem(t, guide);
  const claims = guide.json('claims');
  t.match(await profile({ ...token, ...fillIn(claims, { ...ada, email_verified: false }) }), notSynchronised);
  t.match(await profile({ ...token, ...fillIn(claims, ada) }), profileOfAda);
  t.match(await profile({ ...token, ...fillIn(claims, ada), azp: 'https://elsewhere.example' }), unauthorized);
  t.match(await profile({ ...token, ...fillIn(claims, ada), iss: 'https://clerk.elsewhere.example' }), unauthorized);
});

t.test('a deletion takes effect at once, and a wrong signature is rejected', async (t) => {
  const { profileWith, webhookUrl, secret } = await startSystem(t, guide);
  await send(webhookUrl, secret, guide.json('webhook created'), 'msg_1');
  const wrong = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'svix-id': 'x', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA' },
    body: JSON.stringify(guide.json('webhook deleted')),
  });
  t.equal(wrong.status, 401);
  t.match(await send(webhookUrl, secret, guide.json('webhook deleted'), 'msg_2'), { status: 'processed' });
  t.match(await profileWith(403, token), accountInactive);
  t.match(await send(webhookUrl, secret, guide.json('webhook deleted'), 'msg_2'), { status: 'duplicate' });
});
