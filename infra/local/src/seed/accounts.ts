import { createHmac } from 'node:crypto';
import { Principal, type Role } from '@lms/contracts/passport';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { webhookSecrets } from '../parts/service-parts.ts';
import type { Place } from './place.ts';
import { callAs } from './service-client.ts';

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

export interface Accounts {
  admin: Principal;
  mentor: Principal;
  learner: Principal;
}

/** Whoever writes before the first administrator is known, or where a foreign provider has all the users. */
export const caretaker: Principal = {
  userId: 'caretaker000000000000000',
  identityProviderId: 'local-stack',
  email: 'caretaker@invalid',
  emailVerified: true,
  firstName: null,
  lastName: null,
  roles: ['ADMIN'],
  status: 'ACTIVE',
  plan: 'ENTERPRISE',
};

/** Makes the three accounts known to the identity service before they sign in for the first time, each with its role and plan. */
export async function introduceAccounts(place: Place): Promise<Accounts> {
  const { identity } = place.addresses;
  const lookUp = async (email: string): Promise<Principal> => {
    const path = `/api/users?search=${encodeURIComponent(email)}&limit=100`;
    const ask = callAs(caretaker, place.secrets.passport.privateKey);
    const users = await ask({ service: identity.url, method: 'GET', path, data: Type.Array(User) });
    const user = users.find((candidate) => candidate.email === email);
    if (!user) throw new Error(`${email} did not reach the identity service`);
    const { id, identityProviderId, ...rest } = user;
    return { ...rest, userId: id, identityProviderId: identityProviderId ?? '' };
  };
  const appear = async (email: string): Promise<Principal> => {
    await announce(place, await fetchClaims(place, email));
    return lookUp(email);
  };
  const admin = await appear('admin@lms.test');
  const mentor = await appear('mentor@lms.test');
  const learner = await appear('learner@lms.test');

  const ask = callAs(admin.roles.includes('ADMIN') ? admin : caretaker, place.secrets.passport.privateKey);
  const grant = async (user: Principal, role: Role) => {
    if (user.roles.includes(role)) return;
    const path = `/api/users/${user.userId}/roles`;
    await ask({ service: identity.url, method: 'POST', path, body: { role }, data: Type.Unknown() });
  };
  await grant(mentor, 'MENTOR');
  // With BOOTSTRAP_ADMIN_EMAILS set to somebody else this one stays what it is.
  if (admin.roles.includes('ADMIN') && admin.plan !== 'ENTERPRISE') {
    const path = `/api/users/${admin.userId}`;
    await ask({ service: identity.url, method: 'PUT', path, body: { plan: 'ENTERPRISE' }, data: Type.Unknown() });
  }
  return { admin: await lookUp(admin.email), mentor: await lookUp(mentor.email), learner };
}

async function fetchClaims({ addresses }: Place, email: string): Promise<Claims> {
  const form = { grant_type: 'password', client_id: 'lms-local', username: email, password: 'password' };
  const answer = await fetch(`${addresses.identityProvider.url}/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token: token } = Value.Parse(Type.Object({ access_token: Type.String() }), await answer.json());
  return Value.Parse(Claims, JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
}

/** The provider announces its accounts as well, but only when its next try is due. The oldest possible date lets its word win. */
async function announce(place: Place, claims: Claims): Promise<void> {
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
  const signature = signWebhook(webhookSecrets(place)[0] ?? '', body);
  const answer = await fetch(`${place.addresses.identity.url}/api/webhooks/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-signature': signature },
    body,
  });
  if (!answer.ok) throw new Error(`The identity service answers ${answer.status} to a webhook: ${await answer.text()}`);
}

function signWebhook(secret: string, body: string): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const time = Math.floor(Date.now() / 1_000);
  return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`;
}
