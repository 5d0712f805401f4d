import { createHmac } from 'node:crypto';
import t from 'tap';
import { gone, refused, unknown, welcome } from './outcomes.ts';
import { readGuide } from './read-guide.ts';
import { startStand } from './stand.ts';

const guide = readGuide('clerk');
const token = guide.json('token-by-default');

/** Sends as Svix does: id, time and body are signed with the decoded secret. */
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
  const answer = await fetch(url, { method: 'POST', headers, body });
  return JSON.parse(await answer.text()).data;
}

/** A user's values where the dashboard's template names them. */
function fillIn(template: Record<string, unknown>, user: Record<string, unknown>) {
  const answerTo = (text: unknown) => user[/^\{\{user\.(\w+)\}\}$/.exec(String(text))?.[1] ?? ''];
  return Object.fromEntries(Object.entries(template).map(([name, text]) => [name, answerTo(text)]));
}

const ada = {
  primary_email_address: 'learner@lms.example',
  email_verified: true,
  first_name: 'Ada',
  last_name: 'Learner',
};

t.test('a session token without the custom claims lets in only whom a webhook announced', async (t) => {
  const { profile, webhookUrl, secret } = await startStand(t, guide);
  t.match(await profile(token), unknown);
  t.match(await send(webhookUrl, secret, guide.json('webhook created'), 'msg_1'), { status: 'processed' });
  t.match(await profile(token), welcome);
});

t.test('a session token with the custom claims lets in anybody whose address is verified', async (t) => {
  const { profile } = await startStand(t, guide);
  const claims = guide.json('claims');
  t.match(await profile({ ...token, ...fillIn(claims, { ...ada, email_verified: false }) }), unknown);
  t.match(await profile({ ...token, ...fillIn(claims, ada) }), welcome);
  t.match(await profile({ ...token, ...fillIn(claims, ada), azp: 'https://elsewhere.example' }), refused);
  t.match(await profile({ ...token, ...fillIn(claims, ada), iss: 'https://clerk.elsewhere.example' }), refused);
});

t.test('a deletion is in force at once, and a wrong secret is refused', async (t) => {
  const { profileWith, webhookUrl, secret } = await startStand(t, guide);
  await send(webhookUrl, secret, guide.json('webhook created'), 'msg_1');
  const wrong = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'svix-id': 'x', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA' },
    body: JSON.stringify(guide.json('webhook deleted')),
  });
  t.equal(wrong.status, 401);
  t.match(await send(webhookUrl, secret, guide.json('webhook deleted'), 'msg_2'), { status: 'processed' });
  t.match(await profileWith(403, token), gone);
  t.match(await send(webhookUrl, secret, guide.json('webhook deleted'), 'msg_2'), { status: 'duplicate' });
});
