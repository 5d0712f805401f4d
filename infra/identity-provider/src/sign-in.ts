import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { authenticate } from './accounts.ts';
import { renderPage, renderSignIn } from './pages.ts';
import type { Store } from './store.ts';

const Form = Type.Object({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 256 }) });

const expired = `<p>This sign-in has expired or was begun in another browser. Go back to the application and sign in once more.</p>`;

/** The page on which a browser signs in, for an authorization request that the provider has interrupted. */
export const signInRoutes: FastifyPluginAsyncTypebox<{ deps: { store: Store; provider: Provider } }> = async (
  app,
  { deps: { store, provider } },
) => {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => Object.fromEntries(new URLSearchParams(text)),
  );

  app.setErrorHandler(async (error, _request, reply) => {
    if (!(error instanceof errors.SessionNotFound)) throw error;
    return sendPage(reply.code(400), renderPage('Start again', expired));
  });

  app.get('/sign-in/:uid', async (request, reply) => {
    const { prompt, params } = await provider.interactionDetails(request.raw, reply.raw);
    // All clients are trusted: a request for consent is granted.
    if (prompt.name === 'consent') return resume(request, reply, { consent: {} });
    return sendPage(reply, renderSignIn(typeof params.login_hint === 'string' ? params.login_hint : ''));
  });

  app.post('/sign-in/:uid', { schema: { body: Form } }, async (request, reply) => {
    const { email, password } = request.body;
    await provider.interactionDetails(request.raw, reply.raw);
    const account = authenticate(store.state, email, password);
    if (account) return resume(request, reply, { login: { accountId: account.id, amr: ['pwd'] } });
    return sendPage(reply.code(422), renderSignIn(email, 'Wrong e-mail address or password.'));
  });

  async function resume({ raw }: FastifyRequest, reply: FastifyReply, result: InteractionResults) {
    return reply.redirect(await provider.interactionResult(raw, reply.raw, result), 303);
  }
};

const sendPage = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);
