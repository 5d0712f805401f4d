import { collectCounter, collectGauge } from '@lms/telemetry/metrics';
import fp from 'fastify-plugin';
import type { Options } from '../options.ts';
import type { Service } from '../routes.ts';
import { createUpstream, type Upstream } from '../upstream.ts';

declare module 'fastify' {
  interface FastifyInstance {
    upstreams: Record<Service, Upstream>;
  }
}

const labels = ['upstream'];
const open = { name: 'gateway_circuit_open', help: '1 while the circuit breaker of a service is open', labels };
const failed = { name: 'gateway_upstream_failures_total', help: 'Requests that failed because of a service', labels };

/** The connections to the services. */
export const upstreams = fp(async (app, { config, registry }: Options) => {
  const upstreams = {
    identity: createUpstream({ name: 'identity', url: config.IDENTITY_URL }),
    content: createUpstream({ name: 'content', url: config.CONTENT_URL }),
    // Uploads and downloads hold their connections for minutes.
    media: createUpstream({ name: 'media', url: config.MEDIA_URL, connections: 1_024 }),
    enrollment: createUpstream({ name: 'enrollment', url: config.ENROLLMENT_URL }),
  };
  const all = Object.values(upstreams);
  const samplesOf = (readingOf: (upstream: Upstream) => number) =>
    all.map((upstream) => ({ labels: { upstream: upstream.name }, value: readingOf(upstream) }));
  collectGauge(registry, open, () => samplesOf(({ breaker }) => (breaker.isOpen() ? 1 : 0)));
  collectCounter(registry, failed, () => samplesOf(({ breaker }) => breaker.failureCount()));
  app.decorate('upstreams', upstreams);
  app.addHook('onClose', () => Promise.all(all.map(({ close }) => close())));
});
