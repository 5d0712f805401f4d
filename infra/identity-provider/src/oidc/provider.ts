import type { FastifyBaseLogger } from 'fastify';
import {
  type Adapter,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { renderError, renderSignedOut, renderSignOut } from '../pages.ts';
import type { State, Store } from '../store.ts';
import { accessTokenClaims, claimsOf, localClient, passwordGrant, resource, resourceServer, scopes } from './client.ts';
import type { Redirects } from './loopback.ts';
import { createMemoryAdapter } from './memory-adapter.ts';
import { grantByPassword, passwordParameters } from './password-grant.ts';

interface ProviderDeps {
  store: Store;
  issuer: string;
  redirects: Redirects;
  adapter: (model: string) => Adapter;
  logger: FastifyBaseLogger;
}

/**
 * Returns the provider with the current keys. It is created at first use, because the issuer may depend on the port,
 * which is only known once the app listens.
 */
export function createProviders(deps: Omit<ProviderDeps, 'issuer' | 'adapter'> & { issuer: () => string }) {
  const adapter = createMemoryAdapter();
  let current: { kids: string; provider: Provider } | undefined;
  return (): Provider => {
    const { keys } = deps.store.read();
    const kids = keys.map(({ kid }) => kid).join();
    if (current?.kids !== kids)
      current = { kids, provider: createProvider({ ...deps, issuer: deps.issuer(), adapter }, keys) };
    return current.provider;
  };
}

const hour = 3600;
const day = 24 * hour;

/** A provider's keys cannot change: after a rotation another one is created with the same adapter. */
function createProvider(deps: ProviderDeps, keys: State['keys']): Provider {
  const { store, issuer, redirects, logger } = deps;
  const provider = new Provider(issuer, { ...configure(deps), jwks: { keys } });
  provider.Client.prototype.redirectUriAllowed = redirects.allowsRedirect;
  provider.Client.prototype.postLogoutRedirectUriAllowed = redirects.allowsRedirect;
  provider.registerGrantType(passwordGrant, (ctx) => grantByPassword(store, ctx), passwordParameters);
  provider.silent = true;
  provider.on('server_error', (_ctx, error) => logger.error(error, 'provider error'));
  return provider;
}

function configure({ store, issuer, redirects, adapter }: ProviderDeps): Configuration {
  const findAccount = (id: string) => store.read().accounts.find((account) => account.id === id);
  return {
    adapter,
    clients: [localClient],
    clientAuthMethods: ['none'],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: (_ctx, origin) => redirects.allowsOrigin(origin),
    cookies: { keys: store.read().cookieKeys },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'name', 'updated_at'],
    },
    scopes,
    responseTypes: ['code'],
    routes: { authorization: '/authorize', end_session: '/logout', token: '/token', jwks: '/jwks' },
    discovery: { userinfo_endpoint: `${issuer}/userinfo` },
    findAccount: (_ctx, id) => {
      const account = findAccount(id);
      return account && { accountId: id, claims: () => claimsOf(account) };
    },
    extraTokenClaims: (_ctx, token) => {
      const account = 'accountId' in token ? findAccount(token.accountId) : undefined;
      return account && accessTokenClaims(account);
    },
    loadExistingGrant: grantRequestedScopes,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}`, policy: createPolicy() },
    renderError,
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      IdToken: hour,
      Interaction: hour,
      Session: 14 * day,
      Grant: 14 * day,
      RefreshToken: 14 * day,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: renderSignOut, postLogoutSuccessSource: renderSignedOut },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource.identifier,
        getResourceServerInfo: (_ctx, indicator) => {
          if (indicator !== resource.identifier) throw new errors.InvalidTarget();
          return resourceServer;
        },
      },
      // The library's endpoint accepts opaque tokens only; the one in routes.ts accepts JWT access tokens.
      userinfo: { enabled: false },
    },
  };
}

/** Grants the requested scopes without a consent page. */
async function grantRequestedScopes(ctx: KoaContextWithOIDC) {
  const { provider, client, account, session, params, requestParamClaims, resourceServers } = ctx.oidc;
  if (!client || !account) return undefined;
  const grantId = session?.grantIdFor(client.clientId);
  const existing = grantId ? await provider.Grant.find(grantId) : undefined;
  const grant = existing ?? new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  const requested = typeof params?.scope === 'string' ? params.scope : '';
  grant.addOIDCScope(requested);
  grant.addOIDCClaims(requestParamClaims);
  for (const indicator of Object.keys(resourceServers ?? {})) grant.addResourceScope(indicator, requested);
  await grant.save();
  return grant;
}

function createPolicy() {
  const policy = interactionPolicy.base();
  const accountDeleted = new interactionPolicy.Check('account_gone', 'The account no longer exists', ({ oidc }) =>
    Boolean(oidc.session?.accountId && !oidc.account),
  );
  policy.get('login')?.checks.add(accountDeleted);
  return policy;
}
