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
const labels = ['upstream'];
const circuits = { name: 'gateway_circuit_open', help: '1 while the circuit breaker of a service is open', labels };
const failures = {
  name: 'gateway_upstream_failures_total',
  help: 'Requests that failed because a service was unavailable',
  labels,
};

/** The connections to the services. */
export const upstreams = fp(async (app, { config, registry }: Options) => {
  const upstreams = {
    identity: createUpstream({ name: 'identity', url: config.IDENTITY_URL, connections }),
    content: createUpstream({ name: 'content', url: config.CONTENT_URL, connections }),
    media: createUpstream({ name: 'media', url: config.MEDIA_URL, connections: mediaConnections }),
    enrollment: createUpstream({ name: 'enrollment', url: config.ENROLLMENT_URL, connections }),
  };
  const byUpstream = (read: (upstream: Upstream) => number) => () =>
    Object.entries(upstreams).map(([upstream, opened]) => ({ labels: { upstream }, value: read(opened) }));
  collectGauge(
    registry,
    circuits,
    byUpstream(({ breaker }) => (breaker.isOpen() ? 1 : 0)),
  );
  collectCounter(
    registry,
    failures,
    byUpstream(({ breaker }) => breaker.failureCount()),
  );
  app.decorate('upstreams', upstreams);
  app.addHook('onClose', () => Promise.all(Object.values(upstreams).map(({ close }) => close())));
});
