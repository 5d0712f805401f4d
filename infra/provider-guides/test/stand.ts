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
const elsewhere = {
  DATABASE_URL: 'postgres://identity@127.0.0.1/identity',
  NATS_URL: 'nats://127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  IDENTITY_URL: 'http://127.0.0.1:1',
  CONTENT_URL: 'http://127.0.0.1:1',
  MEDIA_URL: 'http://127.0.0.1:1',
  ENROLLMENT_URL: 'http://127.0.0.1:1',
};

/** Gateway and identity service with a guide's settings; only the keys are fetched here instead of from the provider. */
export async function startStand(t: Test, guide: Guide) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  // As they stand on the page, https and all.
  loadConfig(GatewayConfig, { ...elsewhere, PASSPORT_PRIVATE_KEY: privateKey, ...guide.settings('gateway') });
  const environment = { ...elsewhere, PASSPORT_PUBLIC_KEY: publicKey, ...guide.settings('identity') };
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
    const answer = await fetch(`${url}/api/auth/profile`, { headers });
    const { data, code, error } = JSON.parse(await answer.text());
    return { status: answer.status, data, code, error };
  }
  return {
    /** Announces a user, as an application does after a sign-in. */
    async announce(body: object) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/auth/sync`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, ...JSON.parse(await response.text()) };
    },
    webhookUrl: `${url}/api/webhooks/identity`,
    secret: guide.settings('identity').WEBHOOK_SECRETS ?? '',
    /** What somebody with such a token is answered about themselves. */
    profile,
    /** The same, once the gateway has heard that something changed. */
    profileWith: (status: number, claims: Record<string, unknown>) =>
      waitFor(
        async () => {
          const answer = await profile(claims);
          return answer.status === status && answer;
        },
        { until: `an answer ${status}` },
      ),
  };
}
