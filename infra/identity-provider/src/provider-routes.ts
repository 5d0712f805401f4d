import formBody from '@fastify/formbody';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { renderPage } from './pages.ts';
import { authenticate, type Store } from './store.ts';

const Form = Type.Object({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 256 }) });

const expired = `<p>This sign-in has expired or was begun in another browser. Go back to the application and sign in once more.</p>`;

/** The page on which a browser signs in, for an authorization request that the provider has interrupted, and its paths. */
export const providerRoutes: FastifyPluginAsyncTypebox<{ deps: { store: Store; provider: Provider } }> = async (
  app,
  { deps: { store, provider } },
) => {
  app.register(formBody);

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
    const account = authenticate(store.state, email, password);
    if (account) return resume(request, reply, { login: { accountId: account.id, amr: ['pwd'] } });
    return sendPage(reply.code(422), renderSignIn(email, 'Wrong e-mail address or password.'));
  });

  async function resume({ raw }: FastifyRequest, reply: FastifyReply, result: InteractionResults) {
    return reply.redirect(await provider.interactionResult(raw, reply.raw, result), 303);
  }

  const handleByProvider = provider.callback();
  // All other paths are the provider's. It supports forms only, but takes the fields of JSON that was already read.
  app.setNotFoundHandler(({ raw, body }, reply) => {
    if (body) raw.headers['content-type'] = 'application/x-www-form-urlencoded';
    reply.hijack();
    handleByProvider(Object.assign(raw, { body }), reply.raw);
  });
};

const sendPage = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);

function renderSignIn(email = '', problem?: string): string {
  return renderPage(
    'Sign in',
    html`<p>to continue to Learning Management Service</p>
!${problem && html`<p role="alert">${problem}</p>`}
<form method="post">
<label>E-mail <input name="email" type="email" autocomplete="username" required ${email ? '' : 'autofocus'} value="${email}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required ${email && 'autofocus'}></label>
<button>Sign in</button>
</form>
<footer>Local accounts: <code>admin@lms.test</code>, <code>mentor@lms.test</code>, <code>learner@lms.test</code>, password <code>password</code>. This provider is for development only.</footer>`,
  );
}
