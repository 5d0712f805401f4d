import { createServer } from 'node:http';
import type { SignPassport } from '@lms/auth/sign-passport';
import type { Check } from '@lms/server/admin-server';
import { refuseUnparsable } from '@lms/server/refuse-unparsable';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Verifier } from './bearer/verify-token.ts';
import type { Settings } from './config.ts';
import { createDoor } from './door.ts';
import { createAddressBook } from './entry/client-address.ts';
import { createCors } from './entry/cors.ts';
import { refuseTunnel } from './entry/refuse-tunnel.ts';
import { answerHealth, answerReadiness } from './own/health.ts';
import type { Principals } from './principals/principals.ts';
import type { Upstream } from './proxy/upstream.ts';
import { createMatcher } from './routing/match.ts';
import type { Upstream as UpstreamName } from './routing/route.ts';
import { routingTable } from './routing/table.ts';

export interface Deps {
  logger: Logger;
  settings: Pick<Settings, 'PUBLIC_URL' | 'TRUSTED_PROXIES' | 'CORS_ORIGINS'>;
  verifier: Verifier;
  principals: Principals;
  signPassport: SignPassport;
  upstreams: Record<UpstreamName, Upstream>;
  /** What must work for this gateway to be sent requests, and what it can do without. */
  checks: { essential: Record<string, Check>; welcome: Record<string, Check> };
}

const headersMs = 15_000;

/** The gateway. Requests take the door, not fastify's router: bodies pass through it unread, and each one counts. */
export function buildApp({
  logger,
  settings,
  verifier,
  principals,
  signPassport,
  upstreams,
  checks,
}: Deps): FastifyInstance {
  const door = createDoor({
    logger,
    match: createMatcher(routingTable),
    cors: createCors(settings.CORS_ORIGINS),
    clientAddress: createAddressBook(settings.TRUSTED_PROXIES),
    verifier,
    principals,
    signPassport,
    publicUrl: new URL(settings.PUBLIC_URL),
    upstreams,
    own: {
      '/healthz': answerHealth,
      '/readyz': (exchange) => answerReadiness(exchange, checks.essential, checks.welcome),
    },
  });
  const loggerInstance: FastifyBaseLogger = logger;
  return Fastify({
    loggerInstance,
    serverFactory: () =>
      createServer(
        { headersTimeout: headersMs, requestTimeout: 0, connectionsCheckingInterval: 1_000, requireHostHeader: false },
        door,
      )
        .on('clientError', refuseUnparsable)
        .on('connect', refuseTunnel),
  });
}
