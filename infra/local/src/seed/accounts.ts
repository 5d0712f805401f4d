import { createHmac } from 'node:crypto';
import { Principal, type Role } from '@lms/contracts/passport';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { signIn } from '../demo/accounts.ts';
import { webhookSecrets } from '../processes/service-processes.ts';
import type { Settings } from '../settings.ts';
import { createServiceClient } from './service-client.ts';

const User = Type.Composite([
  Type.Omit(Principal, ['userId', 'identityProviderId']),
  Type.Object({ id: Type.String(), identityProviderId: Type.Union([Type.String(), Type.Null()]) }),
]);
const Claims = Type.Object({
  sub: Type.String(),
  email: Type.String(),
  given_name: Type.Optional(Type.String()),
  family_name: Type.Optional(Type.String()),
});
type Claims = Static<typeof Claims>;

/** The system to seed. */
export interface SeedTarget {
  settings: Pick<Settings, 'SEED' | 'IDP_ISSUER' | 'WEBHOOK_SECRETS'>;
  secrets: { passport: { privateKey: string }; webhook: string };
  addresses: Record<'identity' | 'content' | 'media' | 'enrollment' | 'identityProvider', { url: string }>;
}

export interface Accounts {
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

/** Registers the three accounts at the identity service before they sign in for the first time, with their roles and plan. */
export async function registerAccounts(target: SeedTarget): Promise<Accounts> {
  const { identity } = target.addresses;
  const findUser = async (email: string): Promise<Principal> => {
    const path = `/api/users?search=${encodeURIComponent(email)}&limit=100`;
    const request = createServiceClient(seedAdmin, target.secrets.passport.privateKey);
    const users = await request({ service: identity.url, method: 'GET', path, data: Type.Array(User) });
    const user = users.find((candidate) => candidate.email === email);
    if (!user) throw new Error(`The identity service has no user ${email}`);
    const { id, identityProviderId, ...rest } = user;
    return { ...rest, userId: id, identityProviderId: identityProviderId ?? '' };
  };
  const register = async (email: string): Promise<Principal> => {
    await sendWebhook(target, await fetchClaims(target, email));
    return findUser(email);
  };
  const admin = await register('admin@lms.test');
  const mentor = await register('mentor@lms.test');
  const learner = await register('learner@lms.test');

  const request = createServiceClient(
    admin.roles.includes('ADMIN') ? admin : seedAdmin,
    target.secrets.passport.privateKey,
  );
  const grant = async (user: Principal, role: Role) => {
    if (user.roles.includes(role)) return;
    const path = `/api/users/${user.userId}/roles`;
    await request({ service: identity.url, method: 'POST', path, body: { role }, data: Type.Unknown() });
  };
  await grant(mentor, 'MENTOR');
  // With other BOOTSTRAP_ADMIN_EMAILS, this user is not an administrator.
  if (admin.roles.includes('ADMIN') && admin.plan !== 'ENTERPRISE') {
    const path = `/api/users/${admin.userId}`;
    await request({ service: identity.url, method: 'PUT', path, body: { plan: 'ENTERPRISE' }, data: Type.Unknown() });
  }
  return { admin: await findUser(admin.email), mentor: await findUser(mentor.email), learner };
}

async function fetchClaims({ addresses }: SeedTarget, email: string): Promise<Claims> {
  const token = await signIn(addresses.identityProvider.url, email);
  return Value.Parse(Claims, JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
}

/** The provider sends these webhooks too, but only with its next retry. The oldest possible date lets those take precedence. */
async function sendWebhook(target: SeedTarget, claims: Claims): Promise<void> {
  const body = JSON.stringify({
    type: 'user.created',
    data: {
      id: claims.sub,
      email_addresses: [{ id: 'primary', email_address: claims.email, verification: { status: 'verified' } }],
      primary_email_address_id: 'primary',
      first_name: claims.given_name ?? null,
      last_name: claims.family_name ?? null,
      updated_at: 1,
    },
  });
  const signature = signWebhook(webhookSecrets(target)[0] ?? '', body);
  const response = await fetch(`${target.addresses.identity.url}/api/webhooks/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-signature': signature },
    body,
  });
  if (!response.ok)
    throw new Error(`The identity service rejected a webhook: ${response.status} ${await response.text()}`);
}

function signWebhook(secret: string, body: string): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const time = Math.floor(Date.now() / 1_000);
  return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`;
}
