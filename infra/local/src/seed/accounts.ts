import { setTimeout as pause } from 'node:timers/promises';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { createClient, unwrap } from '@lms/client';
import { ResolvedPrincipal, resolvePrincipalPath, type TokenClaims } from '@lms/contracts/internal/identity';
import { type Principal, passportHeader } from '@lms/contracts/passport';
import { Value } from '@sinclair/typebox/value';
import { signIn } from '../running-stack.ts';

/** The system to seed. */
export interface SeedTarget {
  services: Record<'identity' | 'content' | 'enrollment', { url: string }>;
  /** Signs passports. */
  privateKey: string;
  /** The local identity provider; without it, no accounts are registered. */
  providerUrl?: string | undefined;
  /** Whether an empty system gets the sample content. */
  sampleContent: boolean;
}

// Just after the start, a service may respond with 503 although it is ready.
const retryTimeoutMs = 60_000;
const retryDelayMs = 500;

/**
 * Sends requests to services as a user, or as the gateway itself, with passports like those of the gateway. Such requests have
 * no rate limits and quotas.
 */
function createPassportFetch(privateKey: string, principal: Principal | null) {
  const signPassport = createPassportSigner(privateKey);
  return async (request: Request): Promise<Response> => {
    const deadline = Date.now() + retryTimeoutMs;
    for (;;) {
      const attempt = new Request(request.clone(), { signal: AbortSignal.timeout(30_000) });
      attempt.headers.set(passportHeader, signPassport(principal));
      const response = await fetch(attempt);
      if (response.status !== 503 || Date.now() > deadline) return response;
      await response.body?.cancel();
      await pause(retryDelayMs);
    }
  };
}

/** A client of a service whose requests are those of `principal`. */
export const createServiceClient = (
  { services, privateKey }: SeedTarget,
  service: keyof SeedTarget['services'],
  principal: Principal,
) => createClient({ baseUrl: services[service].url, fetch: createPassportFetch(privateKey, principal) });

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

/**
 * Signs the three accounts in for the first time, and gives them their roles and plan. The account of the administrator is
 * none if there are other BOOTSTRAP_ADMIN_EMAILS.
 */
export async function registerAccounts(target: SeedTarget, providerUrl: string) {
  const sendAsGateway = createPassportFetch(target.privateKey, null);
  const register = async (email: string): Promise<Principal> => {
    const body = JSON.stringify(readClaims(await signIn(providerUrl, email)));
    const url = new URL(resolvePrincipalPath, target.services.identity.url);
    const headers = { 'content-type': 'application/json' };
    const response = await sendAsGateway(new Request(url, { method: 'POST', headers, body }));
    if (!response.ok) throw new Error(`${email} was not registered: ${response.status} ${await response.text()}`);
    return Value.Parse(ResolvedPrincipal, await response.json()).data;
  };
  const first = await register('admin@lms.test');
  const mentor = await register('mentor@lms.test');
  const learner = await register('learner@lms.test');

  const admin = first.roles.includes('ADMIN') ? first : seedAdmin;
  const identity = createServiceClient(target, 'identity', admin);
  const idOf = ({ userId }: Principal) => ({ params: { path: { id: userId } } });
  if (!mentor.roles.includes('MENTOR'))
    await unwrap(identity.POST('/api/users/{id}/roles', { ...idOf(mentor), body: { role: 'MENTOR' } }));
  if (admin.plan !== 'ENTERPRISE')
    await unwrap(identity.PUT('/api/users/{id}', { ...idOf(admin), body: { plan: 'ENTERPRISE' } }));
  return { admin, learner };
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
