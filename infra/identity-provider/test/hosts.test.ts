import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { startProvider } from './start-provider.ts';

const paths = [
  '/healthz',
  '/users',
  '/jwks',
  '/.well-known/openid-configuration',
  '/sign-in/x',
  '/authorize',
  '/nothing',
];

async function send(url: string, path: string, host: string) {
  const sending = request(new URL(path, url), { headers: { host }, agent: false }).end();
  const [response]: IncomingMessage[] = await once(sending, 'response');
  if (!response) throw new Error('no response');
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

t.test('an unknown host name returns 421 on every route, with an explanation', async (t) => {
  const { url } = await startProvider(t);
  const { port } = new URL(url);
  for (const host of [
    'rebound.example',
    `rebound.example:${port}`,
    '127.0.0.1.example',
    'localhost.example',
    '10.0.0.1',
  ])
    for (const path of paths) {
      const { status, body } = await send(url, path, host);
      t.equal(status, 421, `${path} at ${host}`);
      t.match(body, { error: 'misdirected_request' });
      t.match(body.message, `not "${host}"`);
    }
});

t.test('loopback names are accepted, with any port', async (t) => {
  const { url } = await startProvider(t);
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8090', '[::1]:8090'])
    t.equal((await send(url, '/users', host)).status, 200, host);
});

t.test("the issuer's host and the configured host names are accepted", async (t) => {
  const { url } = await startProvider(t, { issuer: 'https://idp.lms.test', allowedHosts: ['identity-provider'] });
  for (const host of ['idp.lms.test', 'identity-provider:8090'])
    t.equal((await send(url, '/users', host)).status, 200, host);
  t.equal((await send(url, '/users', 'lms.test')).status, 421);
});
