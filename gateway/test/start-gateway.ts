import { createPassportKeys } from '@lms/auth/passport-keys';
import { loadConfig } from '@lms/config/load-config';
import type { Principal } from '@lms/contracts/passport';
import { createRegistry } from '@lms/telemetry/registry';
import { testPrincipal } from '@lms/testing/principals';
import { startTokenIssuer } from '@lms/testing/token-issuer';
import { waitFor } from '@lms/testing/wait-for';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Test } from 'tap';
import { Agent, request } from 'undici';
import { buildApp } from '../src/app.ts';
import { Config } from '../src/config.ts';
import { startUpstream } from './start-upstream.ts';

export interface GatewayOptions {
  /** Settings that differ from the tests' defaults. */
  environment?: Record<string, string>;
  logger?: Logger;
  options?: { idleTimeoutMs?: number; identityTimeoutMs?: number; redisTimeoutMs?: number };
  passportKeys?: ReturnType<typeof createPassportKeys>;
  issuer?: Pick<Awaited<ReturnType<typeof startTokenIssuer>>, 'issuer' | 'jwksUrl' | 'token'>;
  upstream?: Awaited<ReturnType<typeof startUpstream>>;
}

/** Waits until the gateway is connected to the Redis of its settings. */
export const untilRedisIsUp = ({ app }: { app: FastifyInstance }) =>
  waitFor(() => app.redis.isUp(), { until: 'the connection to Redis' });

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/**
 * Starts a gateway on a free port, with one HTTP server as the upstream of every service, and waits until it is
 * connected to whatever the test gives it. It waits for Redis and identity longer than in production, because of busy
 * machines.
 */
export async function startGateway(t: Test, given: GatewayOptions = {}) {
  const passportKeys = given.passportKeys ?? createPassportKeys();
  const issuer = given.issuer ?? (await startTokenIssuer(t));
  const upstream = given.upstream ?? (await startUpstream(t));
  const config = loadConfig(Config, {
    IDENTITY_URL: upstream.url,
    CONTENT_URL: upstream.url,
    MEDIA_URL: upstream.url,
    ENROLLMENT_URL: upstream.url,
    // Nothing listens on port 1.
    NATS_URL: 'nats://127.0.0.1:1',
    REDIS_URL: 'redis://127.0.0.1:1',
    PASSPORT_PRIVATE_KEY: passportKeys.privateKey,
    IDP_ISSUER: issuer.issuer,
    IDP_JWKS_URL: issuer.jwksUrl,
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_AUTH: '1000000',
    RATE_LIMIT_UPLOAD: '1000000',
    RATE_LIMIT_WEBHOOK: '1000000',
    RATE_LIMIT_PLAYBACK: '1000000',
    ...given.environment,
  });
  const logger = given.logger ?? pino({ level: 'silent' });
  const registry = createRegistry();
  const { app } = buildApp({
    config,
    logger,
    requestLogger: logger,
    registry,
    identityTimeoutMs: 30_000,
    redisTimeoutMs: 30_000,
    ...given.options,
  });
  const agent = new Agent({ connections: 512 });
  // Also if it cannot start: its open connections would keep the process alive.
  t.teardown(async () => {
    app.server.closeAllConnections();
    await Promise.all([app.close(), agent.destroy()]);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  if (!given.issuer) await waitFor(() => succeeds(app.tokens.check()), { until: "the provider's keys" });
  if (given.environment?.REDIS_URL) await untilRedisIsUp({ app });
  if (given.environment?.NATS_URL)
    await waitFor(() => succeeds(app.events.check()), { until: 'the connection to NATS' });

  /** Sends a request as it is and reads the whole response. */
  async function send(path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}) {
    const response = await request(url + path, { method, headers, body: body ?? null, dispatcher: agent });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes,
      get json() {
        return JSON.parse(bytes.toString());
      },
    };
  }

  /** Registers a user with identity and returns the header with their token. */
  async function authHeaders(user: Principal = testPrincipal()) {
    upstream.principals.set(user.identityProviderId, user);
    return { authorization: `Bearer ${await issuer.token({ sub: user.identityProviderId })}` };
  }

  return {
    url,
    port: Number(new URL(url).port),
    app,
    agent,
    issuer,
    upstream,
    passportKeys,
    registry,
    send,
    authHeaders,
  };
}

/** Starts a gateway for the tests of a file. The returned function resets its upstream, for the next test. */
export async function shareGateway(t: Test, given: GatewayOptions = {}) {
  const gateway = await startGateway(t, given);
  const { upstream } = gateway;
  return () => {
    upstream.requests.length = 0;
    upstream.principalRequests.length = 0;
    upstream.respondWith(undefined);
    upstream.respondToPrincipalsWith(undefined);
    return gateway;
  };
}

const succeeds = (check: Promise<unknown>) =>
  check.then(
    () => true,
    () => false,
  );

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}
