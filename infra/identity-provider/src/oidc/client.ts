import type { ClientMetadata, ResourceServer } from 'oidc-provider';

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
