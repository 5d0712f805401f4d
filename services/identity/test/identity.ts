import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { outbox } from '@lms/events/tables';
import { emptyDatabase, testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey } from '@lms/testing/principals';
import { asc } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import type { Test } from 'tap';
import { buildApp, type Deps } from '../src/app.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
export const webhookSecret = 'a secret of twenty-four bytes or more';

/** Starts the service with its own database, and returns helpers for requests. */
export async function startIdentity(t: Test, overrides: Partial<Deps> = {}) {
  const database = await testDatabase(t, migrations);
  const app = await buildApp({
    logger: pino({ level: 'silent' }),
    database,
    passportKey: testPassportKey,
    notifyRelay: () => undefined,
    webhooks: { keys: [Buffer.from(webhookSecret)], acceptUntimestamped: false },
    defaultPlan: 'FREE',
    adminEmails: new Set(['boss@lms.test']),
    exportClients: {},
    ...overrides,
  });
  t.teardown(() => app.close());

  async function send(method: NonNullable<InjectOptions['method']>, url: string, options: InjectOptions = {}) {
    const response = await app.inject({ method, url, ...options });
    const { statusCode: status, headers } = response;
    return { status, headers, body: response.body ? response.json() : undefined, text: response.body };
  }

  const as = (principal: Principal | null, given: Record<string, string> = {}) => {
    const headers = () => ({ ...passportHeaders(principal), ...given });
    return {
      get: (url: string) => send('GET', url, { headers: headers() }),
      post: (url: string, body: object = {}) => send('POST', url, { headers: headers(), payload: body }),
      put: (url: string, body: object = {}) => send('PUT', url, { headers: headers(), payload: body }),
      delete: (url: string, body: object = {}) => send('DELETE', url, { headers: headers(), payload: body }),
    };
  };

  /** The gateway's request with the claims of a verified token. */
  const resolve = (claims: Partial<TokenClaims> & { identityProviderId: string }) =>
    as(null).post('/internal/principals', { ...claimsOf(claims), ...claims });

  return {
    app,
    database,
    send,
    as,
    resolve,
    anonymous: {
      post: (url: string, payload: object) => send('POST', url, { payload }),
      get: (url: string) => send('GET', url),
    },
    /** Registers a user with a token. */
    async signIn(name: string): Promise<Principal> {
      const { status, body } = await resolve({ identityProviderId: `idp_${name}`, email: `${name}@lms.test` });
      if (status !== 200) throw new Error(`${name} could not sign in: ${JSON.stringify(body)}`);
      const { isNew: _isNew, ...principal } = body.data;
      return principal;
    },
    /** Sends a signed webhook of the provider. */
    webhook(type: string, data: object, overrides: { secret?: string; age?: number; body?: string } = {}) {
      const payload = overrides.body ?? JSON.stringify({ type, data });
      const headers = { 'content-type': 'application/json', ...signed(payload, overrides) };
      return send('POST', '/api/webhooks/identity', { headers, payload });
    },
    events: () => database.db.select().from(outbox).orderBy(asc(outbox.ordinal)),
  };
}
export type Identity = Awaited<ReturnType<typeof startIdentity>>;

/** Starts a service for the tests of a file. The returned function empties its database, for the next test. */
export async function shareIdentity(t: Test) {
  const identity = await startIdentity(t);
  return async () => {
    await emptyDatabase(identity.database);
    return identity;
  };
}

const claimsOf = ({ identityProviderId }: { identityProviderId: string }): TokenClaims => ({
  identityProviderId,
  email: `${identityProviderId}@lms.test`,
  emailVerified: true,
  firstName: null,
  lastName: null,
});

export function signed(body: string, { secret = webhookSecret, age = 0 } = {}): Record<string, string> {
  const t = Math.floor(Date.now() / 1_000) - age;
  const mac = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { 'x-webhook-signature': `t=${t},v1=${mac}` };
}

/** An account, as the provider's webhooks describe it. */
export const account = (id: string, given: Record<string, unknown> = {}) => ({
  id,
  email_addresses: [{ id: 'mail', email_address: `${id}@lms.test`, verification: { status: 'verified' } }],
  primary_email_address_id: 'mail',
  first_name: 'Ann',
  last_name: 'Smith',
  created_at: 1_000,
  updated_at: 1_000,
  ...given,
});
