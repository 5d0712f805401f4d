import { createPassportSigner } from '@lms/auth/sign-passport';
import { userEvents } from '@lms/contracts/events/identity';
import { openBus } from '@lms/events/bus';
import { listen } from '@lms/events/listen';
import { createNeighbour } from '@lms/server/ask-neighbour';
import type { Parts } from '@lms/server/run-process';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { openKeySet } from './bearer/key-set.ts';
import { createVerifier } from './bearer/verify-token.ts';
import type { Settings } from './config.ts';
import { createPrincipals } from './principals/principals.ts';
import { checkAny, checkUpstream } from './proxy/check-upstream.ts';
import { openUpstream } from './proxy/upstream.ts';

/** Opens every connection of a gateway and builds it on them. */
export function openGateway(settings: Settings, logger: Logger): Parts {
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
  const signPassport = createPassportSigner(settings.PASSPORT_PRIVATE_KEY);
  const identity = createNeighbour(settings.IDENTITY_URL);
  const principals = createPrincipals({ identity, signPassport });
  const keys = openKeySet({ url: settings.IDP_JWKS_URL, logger, replaced: () => verifier.forget() });
  const verifier = createVerifier({ keys, issuer: settings.IDP_ISSUER, audience: settings.IDP_AUDIENCE });

  const bus = openBus(settings.NATS_URL, 'gateway', logger);
  listen({
    bus,
    subject: userEvents,
    heard: ({ data }) => principals.drop(data),
    missed: principals.dropAll,
  }).catch((err: unknown) => {
    if (!bus.closing.aborted) logger.error({ err }, 'events cannot be heard');
  });

  const services = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, checkUpstream(url)]));
  const checks = {
    essential: { services: checkAny(Object.values(services)) },
    welcome: { ...services, nats: bus.check, keys: keys.check },
  };
  const app = buildApp({ logger, settings, verifier, principals, signPassport, upstreams, checks });
  return {
    app,
    checks: checks.essential,
    async close() {
      keys.close();
      await Promise.all([bus.close(), identity.close(), ...Object.values(upstreams).map(({ close }) => close())]);
    },
  };
}
