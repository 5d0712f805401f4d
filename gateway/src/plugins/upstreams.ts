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

const connections = 128;
// Uploads and downloads hold their connections for minutes.
const mediaConnections = 512;
const circuits = 'gateway_circuit_open';
const failures = 'gateway_upstream_failures_total';
const labels = ['upstream'];

/** The connections to the services. */
export const upstreams = fp(async (app, { config, registry }: Options) => {
  const upstreams = {
    identity: createUpstream({ name: 'identity', url: config.IDENTITY_URL, connections }),
    content: createUpstream({ name: 'content', url: config.CONTENT_URL, connections }),
    media: createUpstream({ name: 'media', url: config.MEDIA_URL, connections: mediaConnections }),
    enrollment: createUpstream({ name: 'enrollment', url: config.ENROLLMENT_URL, connections }),
  };
  const all = Object.values(upstreams);
  collectGauge(registry, { name: circuits, help: '1 while the circuit breaker of a service is open', labels }, () =>
    all.map(({ name, breaker }) => ({ labels: { upstream: name }, value: breaker.isOpen() ? 1 : 0 })),
  );
  collectCounter(registry, { name: failures, help: 'Requests that failed because of a service', labels }, () =>
    all.map(({ name, breaker }) => ({ labels: { upstream: name }, value: breaker.failureCount() })),
  );
  app.decorate('upstreams', upstreams);
  app.addHook('onClose', () => Promise.all(all.map(({ close }) => close())));
});
