import type { FastifyBaseLogger } from 'fastify';
import {
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
  type ResourceServer,
  type TokenEndpointGrantContext,
} from 'oidc-provider';
import { authenticate } from './accounts.ts';
import { renderError, renderSignedOut, renderSignOut } from './pages.ts';
import type { Account, Store } from './store.ts';

export interface ProviderOptions {
  store: Store;
  /** The public origin. */
  issuer: string;
  /** Allowed besides loopback. */
  redirectUris?: readonly string[];
  logger: FastifyBaseLogger;
}

export const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

const hour = 3600;
const twoWeeks = 14 * 24 * hour;
const scope = 'openid email profile offline_access';
const passwordGrant = 'password';

/** Resource indicators must be URIs; the audience of tokens is the plain word. */
const resource = 'urn:lms';
const resourceServer: ResourceServer = {
  audience: 'lms',
  scope,
  accessTokenTTL: hour,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'RS256' } },
};

/** The OpenID Connect endpoints. Sessions, codes and refresh tokens are in the library's memory. */
export function createProvider({ store, issuer, redirectUris = [], logger }: ProviderOptions): Provider {
  const { state } = store;
  const findAccount = (id: string) => state.accounts.find((account) => account.id === id);
  const isAllowedRedirect = (uri: string) => isLoopback(uri) || redirectUris.includes(uri);

  const provider = new Provider(issuer, {
    jwks: { keys: state.keys },
    cookies: { keys: state.cookieKeys },
    // Public and trusted: PKCE, no secret, no consent page. The redirect is a placeholder; see `isAllowedRedirect`.
    clients: [
      {
        client_id: 'lms-local',
        client_name: 'Learning Management Service',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', passwordGrant],
        response_types: ['code'],
        redirect_uris: ['http://127.0.0.1/'],
      },
    ],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['none'],
    clientBasedCORS: (_ctx, origin) => isLoopback(origin) || redirectUris.some((uri) => uri.startsWith(`${origin}/`)),
    responseTypes: ['code'],
    scopes: scope.split(' '),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    routes: { authorization: '/authorize', end_session: '/logout' },
    findAccount: (_ctx, id) => {
      const account = findAccount(id);
      return account && { accountId: id, claims: () => claimsOf(account) };
    },
    extraTokenClaims: (_ctx, token) => {
      const account = 'accountId' in token ? findAccount(token.accountId) : undefined;
      return account && claimsOf(account);
    },
    loadExistingGrant: grantEverything,
    issueRefreshToken: async () => true,
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}`, policy: createPolicy() },
    renderError,
    ttl: {
      AccessToken: hour,
      IdToken: hour,
      Interaction: hour,
      Session: twoWeeks,
      Grant: twoWeeks,
      RefreshToken: twoWeeks,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: renderSignOut, postLogoutSuccessSource: renderSignedOut },
      resourceIndicators: {
        enabled: true,
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
  provider.Client.prototype.redirectUriAllowed = isAllowedRedirect;
  provider.Client.prototype.postLogoutRedirectUriAllowed = isAllowedRedirect;
  provider.registerGrantType(passwordGrant, (ctx) => grantByPassword(store, ctx), ['username', 'password']);
  provider.on('server_error', (_ctx, error) => logger.error(error, 'provider error'));
  return provider;
}

/** An address of this machine, on any port. */
function isLoopback(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, hash } = new URL(value);
  return /^https?:$/.test(protocol) && loopbackHosts.includes(hostname) && !username && !hash;
}

const claimsOf = ({ id, email, emailVerified, firstName, lastName }: Account) => ({
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

/** The library's interactions; in addition, the session of a deleted account leads to the sign-in page. */
function createPolicy() {
  const policy = interactionPolicy.base();
  const accountDeleted = new interactionPolicy.Check('account_deleted', 'The account was deleted', ({ oidc }) =>
    Boolean(oidc.session?.accountId && !oidc.account),
  );
  policy.get('login')?.checks.add(accountDeleted);
  return policy;
}

/** The resource owner password grant (RFC 6749, section 4.3), for scripts and tests: an access token for all claims. */
async function grantByPassword(
  { state }: Store,
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
