import { createPassportKeys } from '@lms/auth/passport-keys';
import { loadConfig } from '@lms/config/load-config';
import type { Principal } from '@lms/contracts/passport';
import { createRegistry } from '@lms/telemetry/registry';
import { testPrincipal } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { startTokenIssuer } from '@lms/testing/token-issuer';
import { type Logger, pino } from 'pino';
import type { Test } from 'tap';
import { Agent, request } from 'undici';
import { buildApp } from '../src/app.ts';
import { Config } from '../src/config.ts';
import { startUpstream } from './start-upstream.ts';

export interface GatewayOptions {
  /** Settings that differ from the usual ones. */
  environment?: Record<string, string>;
  logger?: Logger;
  options?: { idleTimeoutMs?: number };
  passportKeys?: ReturnType<typeof createPassportKeys>;
  issuer?: Pick<Awaited<ReturnType<typeof startTokenIssuer>>, 'issuer' | 'jwksUrl' | 'token'>;
  upstream?: Awaited<ReturnType<typeof startUpstream>>;
}

/** A gateway on a free port, before one real upstream that stands for all services. */
export async function startGateway(t: Test, given: GatewayOptions = {}) {
  const passportKeys = given.passportKeys ?? createPassportKeys();
  const issuer = given.issuer ?? (await startTokenIssuer(t));
  const upstream = given.upstream ?? (await startUpstream(t));
  const unusedPort = await freePort();
  const config = loadConfig(Config, {
    IDENTITY_URL: upstream.url,
    CONTENT_URL: upstream.url,
    MEDIA_URL: upstream.url,
    ENROLLMENT_URL: upstream.url,
    NATS_URL: `nats://127.0.0.1:${unusedPort}`,
    REDIS_URL: `redis://127.0.0.1:${unusedPort}`,
    PASSPORT_PRIVATE_KEY: passportKeys.privateKey,
    IDP_ISSUER: issuer.issuer,
    IDP_JWKS_URL: issuer.jwksUrl,
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_AUTH: '1000000',
    RATE_LIMIT_UPLOAD: '1000000',
    RATE_LIMIT_WEBHOOK: '1000000',
    ...given.environment,
  });
  const logger = given.logger ?? pino({ level: 'silent' });
  const registry = createRegistry();
  const { app } = buildApp({ config, logger, requestLogger: logger, registry, ...given.options });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ connections: 256 });
  t.teardown(async () => {
    app.server.closeAllConnections();
    await Promise.all([app.close(), agent.destroy()]);
  });

  /** Sends a request as it is and reads the whole answer. */
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

  /** The header of somebody's token; identity knows them from now on. */
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

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}
