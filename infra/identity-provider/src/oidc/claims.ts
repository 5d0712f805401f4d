import type { AccountClaims } from 'oidc-provider';
import type { Account } from '../state/state.ts';

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
