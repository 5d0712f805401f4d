import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import t from 'tap';
import { json, serve } from './serve.ts';

t.test('the web example refreshes its tokens once at a time, and keeps them unless the provider refuses', async (t) => {
  let respond: (body: URLSearchParams, response: ServerResponse) => unknown;
  const { baseUrl, count } = await serve(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'POST') respond(new URLSearchParams(String(Buffer.concat(chunks))), response);
    else json(response, 200, { token_endpoint: `${baseUrl}/token` });
  });
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../examples/web/sign-in.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'example',
    write: false,
  });
  const page = {
    location: new URL('http://app.test/?code=c&state=s'),
    sessionStorage: { getItem: () => '{"state":"s","verifier":"v","hash":""}', removeItem: () => undefined },
    history: { replaceState: () => undefined },
    ...{ fetch, URL, URLSearchParams },
  };
  const { createSignIn } = runInNewContext(`${outputFiles[0]?.text}; example`, page);

  // Expires within the minute before which tokens are refreshed.
  respond = (_body, response) => json(response, 200, { access_token: 'a1', refresh_token: 'r', expires_in: 30 });
  const signIn = await createSignIn({ issuer: baseUrl, clientId: 'app' });
  const token = (forceRefresh = false) => signIn.token({ forceRefresh });

  for (const fail of [
    (response: ServerResponse) => json(response, 503, {}),
    (response: ServerResponse) => response.destroy(),
  ]) {
    respond = (_body, response) => fail(response);
    t.equal(await token(), 'a1', 'the access token is used while the provider cannot be reached');
    t.ok(signIn.isSignedIn());
  }
  const sent: unknown[] = [];
  respond = (body, response) => {
    sent.push(body.get('refresh_token'));
    json(response, 200, { access_token: `a${sent.length + 1}`, expires_in: 3_600 });
  };
  t.strictSame(await Promise.all([token(), token(), token(true)]), ['a2', 'a2', 'a2']);
  t.equal(await token(), 'a2', 'a new token is not refreshed');
  t.equal(await token(true), 'a3');
  t.strictSame(sent, ['r', 'r'], 'without a new refresh token the old one is used again');
  respond = (_body, response) => json(response, 400, { error: 'invalid_grant' });
  t.equal(await token(true), undefined);
  t.notOk(signIn.isSignedIn());
  t.equal(count(), 7);
});
