import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@lms/config/load-config';
import { connectBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { testDatabase } from '@lms/testing/database';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { Config as GatewayConfig } from 'gateway/config';
import { buildApp } from 'identity/app';
import { Config, checkConfig, parseConfig } from 'identity/config';
import { pino } from 'pino';
import type { Test } from 'tap';
import { startGateway } from '../../../gateway/test/start-gateway.ts';
import { startKeyServer } from './key-server.ts';
import type { Guide } from './read-guide.ts';

const migrations = fileURLToPath(new URL('../../../services/identity/migrations', import.meta.url));
const unusedAddresses = {
  DATABASE_URL: 'postgres://identity@127.0.0.1/identity',
  NATS_URL: 'nats://127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  IDENTITY_URL: 'http://127.0.0.1:1',
  CONTENT_URL: 'http://127.0.0.1:1',
  MEDIA_URL: 'http://127.0.0.1:1',
  ENROLLMENT_URL: 'http://127.0.0.1:1',
};

/** Starts the gateway and the identity service with a guide's settings, except for the URL of the keys. */
export async function startSystem(t: Test, guide: Guide) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  // Validates the settings exactly as they are on the page, with https.
  loadConfig(GatewayConfig, { ...unusedAddresses, PASSPORT_PRIVATE_KEY: privateKey, ...guide.settings('gateway') });
  const environment = { ...unusedAddresses, PASSPORT_PUBLIC_KEY: publicKey, ...guide.settings('identity') };
  const config = loadConfig(Config, environment, checkConfig);
  const { webhookKeys, adminEmails } = parseConfig(config);

  const database = await testDatabase(t, migrations);
  const logger = pino({ level: 'silent' });
  const nats = await startNats(t);
  const bus = connectBus(nats.url, 'identity', logger);
  const relay = startRelay(database, bus, 'identity', logger);
  t.teardown(async () => {
    await bus.close();
    await relay.ended;
  });
  const identity = await buildApp({
    logger,
    database,
    passportKey: publicKey,
    notifyRelay: relay.notify,
    webhooks: { keys: webhookKeys, acceptUntimestamped: config.WEBHOOK_ACCEPT_UNTIMESTAMPED },
    defaultPlan: config.DEFAULT_PLAN,
    adminEmails,
    exportClients: {},
  });
  const identityUrl = await identity.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => {
    identity.server.closeAllConnections();
    return identity.close();
  });

  const keys = await startKeyServer(t, guide.json('header'));
  const { url } = await startGateway(t, {
    passportKeys: { privateKey, publicKey },
    environment: {
      ...guide.settings('gateway'),
      IDENTITY_URL: identityUrl,
      IDP_JWKS_URL: keys.jwksUrl,
      NATS_URL: nats.url,
    },
  });
  async function profile(claims: Record<string, unknown>) {
    const headers = { authorization: `Bearer ${await keys.token(claims)}` };
    const response = await fetch(`${url}/api/auth/profile`, { headers });
    const { data, code, error } = JSON.parse(await response.text());
    return { status: response.status, data, code, error };
  }
  return {
    /** Syncs a user, as an application does after a sign-in. */
    async syncUser(body: object) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/auth/sync`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, ...JSON.parse(await response.text()) };
    },
    webhookUrl: `${url}/api/webhooks/identity`,
    secret: guide.settings('identity').WEBHOOK_SECRETS ?? '',
    /** Requests the profile with a token that has these claims. */
    profile,
    /** Requests the profile until the response has this status. */
    profileWith: (status: number, claims: Record<string, unknown>) =>
      waitFor(
        async () => {
          const response = await profile(claims);
          return response.status === status && response;
        },
        { until: `status ${status}` },
      ),
  };
}
