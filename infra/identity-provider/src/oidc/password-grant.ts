import { errors, type TokenEndpointGrantContext } from 'oidc-provider';
import { authenticate } from '../accounts/accounts.ts';
import type { Account, Store } from '../store.ts';
import { claimsOf, passwordGrant, resource, resourceServer, scopes } from './client.ts';

export const passwordParameters = ['username', 'password', 'scope'];

interface Parameters {
  username?: string;
  password?: string;
}

/**
 * The resource owner password grant (RFC 6749, section 4.3), for scripts and tests.
 * @throws InvalidRequest, InvalidGrant
 */
export async function grantByPassword(store: Store, ctx: TokenEndpointGrantContext<Parameters>): Promise<void> {
  const { provider, client, params } = ctx.oidc;
  const { username, password } = params;
  if (!username || !password) throw new errors.InvalidRequest('username and password are required');
  const account = await authenticate(store, username, password);
  if (!account) throw new errors.InvalidGrant('wrong e-mail address or password');

  const scope = chooseScope(params.scope);
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.id });
  grant.addOIDCScope(scope);
  grant.addResourceScope(resource.identifier, scope);
  const issued = { client, accountId: account.id, grantId: await grant.save(), gty: passwordGrant, scope };
  const token = new provider.AccessToken(issued);
  token.resourceServer = new provider.ResourceServer(resource.identifier, resourceServer);
  const granted = scope.split(' ');
  ctx.body = {
    access_token: await token.save(),
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope,
    ...(granted.includes('openid') && { id_token: await issueIdToken(ctx, account) }),
    ...(granted.includes('offline_access') && {
      refresh_token: await new provider.RefreshToken({ ...issued, resource: resource.identifier }).save(),
    }),
  };
}

function issueIdToken(ctx: TokenEndpointGrantContext, account: Account): Promise<string> {
  const token = new ctx.oidc.provider.IdToken({ sub: account.id }, { ctx });
  for (const [claim, value] of Object.entries(claimsOf(account))) token.set(claim, value);
  return token.issue({ use: 'idtoken' });
}

/** The requested scopes that exist; by default all but the one for a refresh token. */
function chooseScope(requested: string | undefined): string {
  const known = (requested ?? 'openid email profile').split(' ').filter((scope) => scopes.includes(scope));
  return known.join(' ');
}
