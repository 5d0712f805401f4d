import { maxHeaderSize } from 'node:http';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import type { Bus } from '@lms/events/bus';
import type { Check } from '@lms/service/admin-server';
import { handleClientError } from '@lms/service/client-error-handler';
import { setErrorHandlers } from '@lms/service/error-handler';
import { closeIdleConnections } from '@lms/service/idle-connections';
import { requestIdOf } from '@lms/service/request-id';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Options } from './config.ts';
import { admission } from './plugins/admission.ts';
import { browserHeaders } from './plugins/browser-headers.ts';
import { docs } from './plugins/docs.ts';
import { events } from './plugins/events.ts';
import { health, servicesCheck } from './plugins/health.ts';
import { observability } from './plugins/observability.ts';
import { passports } from './plugins/passports.ts';
import { type Principals, principals } from './plugins/principals.ts';
import { proxy } from './plugins/proxy.ts';
import { publicReadCache } from './plugins/public-read-cache.ts';
import { type Quotas, quotas, usage } from './plugins/quotas.ts';
import { type RateLimits, rateLimits } from './plugins/rate-limits.ts';
import { type RedisConnection, redis } from './plugins/redis.ts';
import { requestBodies } from './plugins/request-bodies.ts';
import { prepareForRouter, requestChecks } from './plugins/request-checks.ts';
import { responses } from './plugins/responses.ts';
import { type RequestPolicy, routePolicies } from './plugins/route-policies.ts';
import { type Tokens, tokens } from './plugins/tokens.ts';
import { type Upstream, upstreams } from './plugins/upstreams.ts';
import type { Used } from './quotas/ledger.ts';
import type { Service } from './routes.ts';

/** What the plugins add. */
declare module 'fastify' {
  interface FastifyContextConfig {
    policies?: Record<string, RequestPolicy>;
    cors?: { methods: string | undefined };
  }
  interface FastifyInstance {
    requestsInFlight: () => number;
    redis: RedisConnection;
    events: Bus;
    rateLimits: RateLimits;
    tokens: Tokens;
    /** A signed passport for a caller; `null` stands for the gateway itself. */
    passportOf: (principal: Principal | null) => string;
    /** A signed passport with the claims of a token that has no account. */
    passportOfToken: (tokenClaims: TokenClaims) => string;
    principals: Principals;
    quotas: Quotas;
    upstreams: Record<Service, Upstream>;
  }
  interface FastifyRequest {
    /** Empty for unknown routes. */
    policy: Partial<RequestPolicy>;
    /** If traces are recorded. */
    traceId: string | undefined;
    /** The caller as stored by identity; null for anonymous requests. */
    principal: Principal | null;
    /** The claims of a valid token that has no account, on the route that can create one. */
    tokenClaims: TokenClaims | null;
    /** The requests left under the tightest limit that applied. */
    rateLimitLeft: number;
    /** The caller's usage with this request, if it counts. */
    used: Used | null;
    /** How many resumable uploads of the caller have succeeded, of those that no response has reported before. */
    finishedUploads: number;
  }
}

/** The order of registration is the order in which a request passes the plugins' hooks. */
const plugins = [
  // Every request
  routePolicies,
  observability,
  browserHeaders,
  requestChecks,
  // Admission
  redis,
  events,
  rateLimits,
  tokens,
  passports,
  principals,
  quotas,
  admission,
  // Forwarding
  requestBodies,
  responses,
  upstreams,
  publicReadCache,
  proxy,
  // The gateway's own routes
  health,
  usage,
  docs,
];

export function buildApp(options: Options): { app: FastifyInstance; checks: Record<string, Check> } {
  const { config, logger, idleTimeoutMs = 120_000 } = options;
  const loggerInstance: FastifyBaseLogger = logger;
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    // The request checks refuse a URL that is too long.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: handleClientError,
    rewriteUrl: prepareForRouter,
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 15_000,
      connectionsCheckingInterval: 1_000,
      // The request checks refuse a missing Host in the envelope.
      requireHostHeader: false,
      // By default Node drops a second Host or Authorization without a trace.
      joinDuplicateHeaders: true,
    },
  });
  setErrorHandlers(app, () => false);
  closeIdleConnections(app);
  for (const plugin of plugins) app.register(plugin, options);
  return { app, checks: { services: servicesCheck(app) } };
}
