import type { FastifyBaseLogger } from 'fastify';
import { html } from 'ghtml';
import {
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
  type ResourceServer,
  type TokenEndpointGrantContext,
} from 'oidc-provider';
import { renderPage } from './pages.ts';
import { type Account, authenticate, type State, type Store } from './store.ts';

const scope = 'openid email profile offline_access';
const passwordGrant = 'password';

/** Resource indicators must be URIs; the audience of tokens is the plain word. */
const resource = 'urn:lms';
const resourceServer: ResourceServer = {
  audience: 'lms',
  scope,
  accessTokenTTL: 3600,
  accessTokenFormat: 'jwt',
};

const signOutButtons = `
<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button form="op.logoutForm">Stay signed in</button>`;

/** The OpenID Connect endpoints. Sessions, codes and refresh tokens are in the library's memory. */
export function createProvider({ state }: Store, issuer: string, logger: FastifyBaseLogger): Provider {
  const claimsOf = (id: string) => state.accounts.filter((account) => account.id === id).map(toClaims)[0];

  const policy = interactionPolicy.base();
  // The session of a deleted account leads to the sign-in page.
  const isDeleted = ({ oidc }: KoaContextWithOIDC) => Boolean(oidc.session?.accountId && !oidc.account);
  policy.get('login')?.checks.add(new interactionPolicy.Check('account_deleted', 'The account was deleted', isDeleted));

  const provider = new Provider(issuer, {
    jwks: { keys: state.keys },
    cookies: { keys: state.cookieKeys },
    // Public and trusted: PKCE, no secret, no consent page. The redirect is a placeholder; see below.
    clients: [
      {
        client_id: 'lms-local',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', passwordGrant],
        redirect_uris: ['http://127.0.0.1/'],
      },
    ],
    clientAuthMethods: ['none'],
    clientBasedCORS: (_ctx, origin) => isLoopback(origin),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    routes: { authorization: '/authorize', end_session: '/logout' },
    findAccount: (_ctx, accountId) => {
      const claims = claimsOf(accountId);
      return claims && { accountId, claims: () => claims };
    },
    extraTokenClaims: (_ctx, token) => ('accountId' in token ? claimsOf(token.accountId) : undefined),
    loadExistingGrant: grantEverything,
    issueRefreshToken: async () => true,
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}`, policy },
    renderError: (ctx, { error, error_description: description = error }) => {
      ctx.type = 'html';
      ctx.body = renderPage('Something went wrong', html`<p role="alert">${description}</p>`);
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        // The form is the library's, with its token against forged requests.
        logoutSource: (ctx, form) => {
          ctx.body = renderPage('Sign out?', form + signOutButtons);
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = renderPage('Done', '<p>You can close this page.</p>');
        },
      },
      resourceIndicators: {
        defaultResource: () => resource,
        getResourceServerInfo: (_ctx, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return resourceServer;
        },
      },
      // It would only accept tokens for itself. ID tokens contain its claims.
      userinfo: { enabled: false },
    },
  });
  provider.Client.prototype.redirectUriAllowed = isLoopback;
  provider.Client.prototype.postLogoutRedirectUriAllowed = isLoopback;
  provider.registerGrantType(passwordGrant, (ctx) => grantByPassword(state, ctx), ['username', 'password']);
  provider.on('server_error', (_ctx, error) => logger.error(error, 'provider error'));
  return provider;
}

/** Whether a URL is one of this machine, on any port, without credentials and a fragment. */
export const isLoopback = (url: string) =>
  /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?([/?][^#]*)?$/i.test(url);

const toClaims = ({ id, email, emailVerified, firstName, lastName }: Account) => ({
  sub: id,
  email,
  email_verified: emailVerified,
  given_name: firstName ?? undefined,
  family_name: lastName ?? undefined,
});

/** Grants all scopes without a consent page; a token gets those that were requested. Signing out revokes the grant. */
async function grantEverything({ oidc: { provider, client, account, session } }: KoaContextWithOIDC) {
  if (!client || !account) return undefined;
  const existing = await provider.Grant.find(session?.grantIdFor(client.clientId) ?? '');
  if (existing) return existing;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(resource, scope);
  await grant.save();
  return grant;
}

/** The resource owner password grant (RFC 6749, section 4.3), for scripts and tests: an access token for all claims. */
async function grantByPassword(
  state: State,
  ctx: TokenEndpointGrantContext<{ username?: string; password?: string }>,
): Promise<void> {
  const { provider, client, params } = ctx.oidc;
  const { username, password } = params;
  if (!username || !password) throw new errors.InvalidRequest('username and password are required');
  const account = authenticate(state, username, password);
  if (!account) throw new errors.InvalidGrant('wrong e-mail address or password');

  // The token is not stored, so it needs no grant.
  const issued = { client, accountId: account.id, grantId: '', gty: passwordGrant, scope: 'openid email profile' };
  const token = new provider.AccessToken(issued);
  token.resourceServer = new provider.ResourceServer(resource, resourceServer);
  ctx.body = {
    access_token: await token.save(),
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope: issued.scope,
  };
}
