import { requestsInFlight } from '@lms/service/request-metrics';
import { collectCounter, collectGauge } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { KeySet } from './bearer/key-set.ts';
import type { Shedder } from './entry/load-shedder.ts';
import type { Store } from './limits/store.ts';
import type { Upstream } from './proxy/upstream.ts';
import type { Tally } from './tally.ts';

export interface Measured {
  tally: Tally;
  shedder: Pick<Shedder, 'inFlight'>;
  keys: Pick<KeySet, 'ageSeconds'>;
  store: Pick<Store, 'isUp'>;
  upstreams: Record<string, Upstream>;
}

/** What a gateway tells besides its requests; everything is read only when somebody looks. */
export function measureGateway(registry: Registry, { tally, shedder, keys, store, upstreams }: Measured) {
  const by = (label: string, counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([value, count]) => ({ labels: { [label]: value }, value: count }));
  const count = (name: string, help: string, label: string, counts: Readonly<Record<string, number>>) =>
    collectCounter(registry, { name, help, labels: [label] }, () => by(label, counts));

  collectGauge(registry, requestsInFlight, shedder.inFlight);
  count('gateway_rate_limited_total', 'Requests over a public limit', 'scope', tally.limited);
  count('gateway_over_quota_total', 'Requests over a monthly quota', 'metric', tally.overQuota);
  count('gateway_reads_total', 'Cacheable reads, by where their answers came from', 'from', tally.reads);
  count('gateway_principals_total', 'Callers who had to be known, by where from', 'from', tally.principals);
  collectCounter(
    registry,
    { name: 'gateway_counted_alone_total', help: 'Requests that were counted without Redis' },
    () => tally.countedAlone,
  );
  collectCounter(
    registry,
    { name: 'gateway_shed_total', help: 'Requests refused because too much was under way' },
    () => tally.shed,
  );
  collectGauge(registry, { name: 'gateway_redis_up', help: '1 while Redis counts' }, () => (store.isUp() ? 1 : 0));
  collectGauge(
    registry,
    { name: 'gateway_jwks_age_seconds', help: "Since the provider's keys were last fetched" },
    keys.ageSeconds,
  );
  const labels = ['upstream'];
  const circuits = { name: 'gateway_circuit_open', help: '1 while a service is left alone after failures', labels };
  collectGauge(registry, circuits, () => read(upstreams, ({ breaker }) => (breaker.isOpen() ? 1 : 0)));
  const failures = { name: 'gateway_upstream_failures_total', help: 'Requests that a service failed', labels };
  collectCounter(registry, failures, () => read(upstreams, ({ breaker }) => breaker.failureCount()));
}

const read = (upstreams: Record<string, Upstream>, ask: (upstream: Upstream) => number) =>
  Object.entries(upstreams).map(([upstream, opened]) => ({ labels: { upstream }, value: ask(opened) }));
