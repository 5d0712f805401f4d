import { createServer } from 'node:http';
import type { SignPassport } from '@lms/auth/sign-passport';
import type { Check } from '@lms/service/admin-server';
import { handleClientError } from '@lms/service/client-error-handler';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Verifier } from './bearer/verify-token.ts';
import type { Config } from './config.ts';
import { createDoor } from './door.ts';
import { createAddressBook } from './entry/client-address.ts';
import { createCors } from './entry/cors.ts';
import type { Shedder } from './entry/load-shedder.ts';
import { refuseTunnel } from './entry/refuse-tunnel.ts';
import { securityHeaders } from './entry/security-headers.ts';
import type { Manners } from './exchange.ts';
import type { BookKeeper } from './limits/keep-book.ts';
import type { Limits } from './limits/limits.ts';
import type { Policy } from './limits/policy.ts';
import type { Measure } from './measure-exchanges.ts';
import { answerHealth, answerReadiness } from './own/health.ts';
import { createUsage } from './own/usage.ts';
import type { Principals } from './principals/principals.ts';
import type { Upstream } from './proxy/upstream.ts';
import type { PublicReads } from './reads/public-reads.ts';
import { createReference } from './reference/reference.ts';
import { createReply } from './reply.ts';
import { createMatcher } from './routing/match.ts';
import type { Upstream as UpstreamName } from './routing/route.ts';
import { routingTable } from './routing/table.ts';

export interface Deps {
  logger: Logger;
  /** Gets the one line of each request. */
  requestLogger: Logger;
  settings: Pick<
    Config,
    'PUBLIC_URL' | 'TRUSTED_PROXIES' | 'CORS_ORIGINS' | 'MAX_REQUESTS_IN_FLIGHT' | 'IDP_ISSUER' | 'DOCS_CLIENT_ID'
  >;
  verifier: Verifier;
  principals: Principals;
  shedder: Shedder;
  measure: Measure | undefined;
  policy: Policy;
  limits: Limits;
  usage: Pick<BookKeeper, 'read'>;
  signPassport: SignPassport;
  upstreams: Record<UpstreamName, Upstream>;
  reads: PublicReads;
  /** What must work for this gateway to be sent requests, and what it can do without. */
  checks: { essential: Record<string, Check>; welcome: Record<string, Check> };
}

const timeouts = {
  headersTimeout: 15_000,
  // Bodies have their own: an upload may take as long as it keeps moving.
  requestTimeout: 0,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
};

/** The gateway. Requests take the door, not fastify's router: bodies pass through it unread, and each one counts. */
export function buildApp(deps: Deps): FastifyInstance {
  const { logger, settings, checks, shedder } = deps;
  const publicUrl = new URL(settings.PUBLIC_URL);
  const manners: Manners = { headers: securityHeaders(publicUrl), isClosing: false };
  const own = {
    '/healthz': answerHealth,
    '/readyz': answerReadiness(checks.essential, checks.welcome),
    '/api/auth/usage': createUsage(deps.policy, deps.usage),
    ...createReference({ issuer: settings.IDP_ISSUER, clientId: settings.DOCS_CLIENT_ID }),
  };
  const door = createDoor({
    ...deps,
    manners,
    match: createMatcher(routingTable),
    cors: createCors(settings.CORS_ORIGINS),
    clientAddress: createAddressBook(settings.TRUSTED_PROXIES),
    answer: createReply({ ...deps, publicUrl, own }),
  });
  const loggerInstance: FastifyBaseLogger = logger;
  const app = Fastify({
    loggerInstance,
    serverFactory: () =>
      // The host is checked at the door, where its absence gets an answer in the envelope.
      createServer({ ...timeouts, requireHostHeader: false }, door)
        .on('checkContinue', door)
        .on('checkExpectation', door)
        .on('clientError', handleClientError)
        .on('connect', refuseTunnel),
  });
  app.addHook('preClose', async () => {
    manners.isClosing = true;
    shedder.close();
  });
  return app;
}
