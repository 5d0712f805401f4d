import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import { authenticate } from '../accounts/accounts.ts';
import { localClient } from '../oidc/client.ts';
import { page, pageHeaders, renderSignIn } from '../pages.ts';
import type { Store } from '../store.ts';

interface SignIn {
  store: Store;
  getProvider: () => Provider;
}

const Params = Type.Object({ uid: Type.String() });
const Form = Type.Object({
  email: Type.String({ default: '', maxLength: 254 }),
  password: Type.String({ default: '', maxLength: 256 }),
});

export const signInRoutes: FastifyPluginAsyncTypebox<{ deps: SignIn }> = async (app, { deps }) => {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: FastifyRequest, text: string) => Object.fromEntries(new URLSearchParams(text)),
  );

  app.setErrorHandler(async (error, _request, reply) => {
    if (!(error instanceof errors.SessionNotFound)) throw error;
    return sendPage(reply.code(400), page('Start again', expired));
  });

  app.get('/sign-in/:uid', { schema: { params: Params } }, async (request, reply) => {
    const { prompt, params } = await deps.getProvider().interactionDetails(request.raw, reply.raw);
    if (prompt.name !== 'login') {
      const next = await deps.getProvider().interactionResult(request.raw, reply.raw, { consent: {} });
      return reply.redirect(next, 303);
    }
    const email = typeof params.login_hint === 'string' ? params.login_hint : undefined;
    return sendPage(reply, renderSignIn({ action: request.url, clientName, email }));
  });

  app.post('/sign-in/:uid', { schema: { params: Params, body: Form } }, async (request, reply) => {
    const { email, password } = request.body;
    await deps.getProvider().interactionDetails(request.raw, reply.raw);
    const account = await authenticate(deps.store, email, password);
    if (!account) {
      const problem = 'Wrong e-mail address or password.';
      return sendPage(reply.code(422), renderSignIn({ action: request.url, clientName, email, problem }));
    }
    const login = { accountId: account.id, amr: ['pwd'] };
    const next = await deps.getProvider().interactionResult(request.raw, reply.raw, { login });
    return reply.redirect(next, 303);
  });
};

const clientName = localClient.client_name ?? localClient.client_id;

const expired = `<h1>Start again</h1>
<p>This sign-in has expired or was begun in another browser. Go back to the application and sign in once more.</p>`;

function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(text);
}
