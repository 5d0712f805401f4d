import { unwrap } from '@lms/client';
import { ResolvedPrincipal, resolvePrincipalPath, type TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { Value } from '@sinclair/typebox/value';
import { signIn } from '../running-stack.ts';
import { createPassportFetch, createServiceClients, type ServiceAddresses } from './service-clients.ts';

/** The system to seed. */
export interface SeedTarget {
  services: ServiceAddresses;
  /** Signs passports. */
  privateKey: string;
  /** The local identity provider; without it, no accounts are registered. */
  providerUrl?: string | undefined;
  /** Whether an empty system gets the sample content. */
  sampleContent: boolean;
}

export interface Accounts {
  /** Not an administrator if there are other BOOTSTRAP_ADMIN_EMAILS. */
  admin: Principal;
  mentor: Principal;
  learner: Principal;
}

/** The principal of requests before there is an administrator, or if the users are at another identity provider. */
export const seedAdmin: Principal = {
  userId: 'seed00000000000000000000',
  identityProviderId: 'local-stack',
  email: 'seed-admin@invalid',
  emailVerified: true,
  firstName: null,
  lastName: null,
  roles: ['ADMIN'],
  status: 'ACTIVE',
  plan: 'ENTERPRISE',
};

/** Signs the three accounts in for the first time, and gives them their roles and plan. */
export async function registerAccounts({ services, privateKey }: SeedTarget, providerUrl: string): Promise<Accounts> {
  const sendAsGateway = createPassportFetch(privateKey, null);
  const register = async (email: string): Promise<Principal> => {
    const claims = readClaims(await signIn(providerUrl, email));
    const url = new URL(resolvePrincipalPath, services.identity.url);
    const headers = { 'content-type': 'application/json' };
    const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(claims) });
    const response = await sendAsGateway(request);
    return Value.Parse(ResolvedPrincipal, await response.json()).data;
  };
  const admin = await register('admin@lms.test');
  const mentor = await register('mentor@lms.test');
  const learner = await register('learner@lms.test');

  const isAdmin = admin.roles.includes('ADMIN');
  const { identity } = createServiceClients(services, privateKey, isAdmin ? admin : seedAdmin);
  if (!mentor.roles.includes('MENTOR')) {
    const params = { path: { id: mentor.userId } };
    await unwrap(identity.POST('/api/users/{id}/roles', { params, body: { role: 'MENTOR' } }));
  }
  if (isAdmin && admin.plan !== 'ENTERPRISE') {
    const params = { path: { id: admin.userId } };
    await unwrap(identity.PUT('/api/users/{id}', { params, body: { plan: 'ENTERPRISE' } }));
  }
  return { admin, mentor, learner };
}

/** The claims of the provider's token, as the gateway sends them. */
function readClaims(token: string): TokenClaims {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return {
    identityProviderId: claims.sub,
    email: claims.email,
    emailVerified: claims.email_verified,
    firstName: claims.given_name ?? null,
    lastName: claims.family_name ?? null,
  };
}
