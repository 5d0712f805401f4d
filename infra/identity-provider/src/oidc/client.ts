import type { AccountClaims, ClientMetadata, ResourceServer } from 'oidc-provider';
import type { Account } from '../store.ts';

export const passwordGrant = 'password';

/** The only client, public and trusted: PKCE, no secret, no consent page. */
export const localClient: ClientMetadata = {
  client_id: 'lms-local',
  client_name: 'Learning Management Service',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token', passwordGrant],
  response_types: ['code'],
  // The list must not be empty; `allowRedirects` decides what is allowed.
  redirect_uris: ['http://127.0.0.1/'],
};

export const scopes = ['openid', 'email', 'profile', 'offline_access'];

/** Resource indicators must be URIs; the audience of tokens is the plain word. */
export const resource = { identifier: 'urn:lms', audience: 'lms' };

export const accessTokenSeconds = 3600;

export const resourceServer: ResourceServer = {
  audience: resource.audience,
  scope: scopes.join(' '),
  accessTokenTTL: accessTokenSeconds,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'RS256' } },
};

/** The claims of an account in tokens and at the userinfo endpoint; an unknown name is left out. */
export function claimsOf(account: Account): AccountClaims {
  const name = [account.firstName, account.lastName].filter(Boolean).join(' ');
  return {
    sub: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    ...(account.firstName && { given_name: account.firstName }),
    ...(account.lastName && { family_name: account.lastName }),
    ...(name && { name }),
    updated_at: Math.floor(account.updatedAt / 1000),
  };
}

/** The claims of an access token, without those that the provider sets itself. */
export function accessTokenClaims(account: Account): Record<string, unknown> {
  const { sub: _sub, name: _name, updated_at: _updatedAt, ...claims } = claimsOf(account);
  return claims;
}
