import { createPassportSigner } from '@lms/auth/sign-passport';
import { userEvents } from '@lms/contracts/events/identity';
import { connectBus } from '@lms/events/bus';
import { subscribe } from '@lms/events/subscribe';
import type { ProcessParts } from '@lms/service/run-process';
import { createServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { openKeySet } from './bearer/key-set.ts';
import { createVerifier } from './bearer/verify-token.ts';
import type { Config } from './config.ts';
import { createShedder } from './entry/load-shedder.ts';
import { createCounter } from './limits/counter.ts';
import { keepBook } from './limits/keep-book.ts';
import { createLimits } from './limits/limits.ts';
import { createLocalWindows } from './limits/local-windows.ts';
import { createPolicy } from './limits/policy.ts';
import { createQuotaBook } from './limits/quota-book.ts';
import { openStore } from './limits/store.ts';
import { measureExchanges } from './measure-exchanges.ts';
import { measureGateway } from './measure-gateway.ts';
import { createPrincipals } from './principals/principals.ts';
import { signWithSodium } from './principals/sign-with-sodium.ts';
import { checkAny, checkUpstream } from './proxy/check-upstream.ts';
import { openUpstream } from './proxy/upstream.ts';
import { createPublicReads } from './reads/public-reads.ts';
import type { RequestLog } from './request-log.ts';
import { openTally } from './tally.ts';

/** Everything that can change what anonymous callers see. */
const contentEvents = 'lms.content.>';

/** Opens every connection of a gateway and builds it on them. */
export function openGateway(
  settings: Config,
  logger: Logger,
  requestLog: RequestLog,
  registry?: Registry,
): ProcessParts {
  const tally = openTally();
  const urls = {
    identity: settings.IDENTITY_URL,
    content: settings.CONTENT_URL,
    media: settings.MEDIA_URL,
    enrollment: settings.ENROLLMENT_URL,
  };
  const upstreams = {
    identity: openUpstream({ name: 'identity', url: urls.identity, connections: 128 }),
    content: openUpstream({ name: 'content', url: urls.content, connections: 128 }),
    // Uploads and downloads hold their connections for minutes; they get a pool that nobody else waits for.
    media: openUpstream({ name: 'media', url: urls.media, connections: 512 }),
    enrollment: openUpstream({ name: 'enrollment', url: urls.enrollment, connections: 128 }),
  };
  const identity = createServiceClient(settings.IDENTITY_URL);
  const signPassport = createPassportSigner(settings.PASSPORT_PRIVATE_KEY, signWithSodium);
  const principals = createPrincipals({ identity, signPassport, tally: tally.principals });
  const keys = openKeySet({ url: settings.IDP_JWKS_URL, logger, replaced: () => verifier.forget() });
  const verifier = createVerifier({ keys, issuer: settings.IDP_ISSUER, audience: settings.IDP_AUDIENCE });

  const policy = createPolicy(settings);
  const store = openStore(settings.REDIS_URL, logger);
  const book = createQuotaBook();
  const keeper = keepBook(store, book, logger);
  const windows = createLocalWindows();
  const counter = createCounter({ store, windows, book, keeper, tally });
  const limits = createLimits({ policy, counter, windows, keeper, tally });
  const reads = createPublicReads(upstreams.content, tally);

  const shedder = createShedder(settings.MAX_REQUESTS_IN_FLIGHT, tally);
  if (registry) measureGateway(registry, { tally, shedder, keys, store, upstreams });

  const bus = connectBus(settings.NATS_URL, 'gateway', logger, registry);
  Promise.all([
    subscribe({ bus, subject: userEvents, onEvent: ({ data }) => principals.drop(data), onGap: principals.dropAll }),
    subscribe({ bus, subject: contentEvents, onEvent: reads.drop, onGap: reads.drop }),
  ]).catch((err: unknown) => {
    if (!bus.closing.aborted) logger.error({ err }, 'events cannot be heard');
  });

  const services = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, checkUpstream(url)]));
  const checks = {
    essential: { services: checkAny(Object.values(services)) },
    welcome: { ...services, redis: store.check, nats: bus.check, keys: keys.check },
  };
  const app = buildApp({
    logger,
    requestLogger: requestLog.logger,
    settings,
    verifier,
    principals,
    shedder,
    measure: registry && measureExchanges(registry),
    policy,
    limits,
    usage: keeper,
    signPassport,
    upstreams,
    reads,
    checks,
  });
  return {
    app,
    checks: checks.essential,
    async close() {
      keys.close();
      keeper.close();
      store.close();
      await Promise.all([bus.close(), identity.close(), ...Object.values(upstreams).map(({ close }) => close())]);
      requestLog.close();
    },
  };
}
