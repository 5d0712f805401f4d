import { Counter, Registry } from 'prom-client';

export function createMetrics(registry = new Registry()) {
  const webhooks = new Counter({
    name: 'identity_webhooks_total',
    help: 'Webhooks of the identity provider by signature scheme and outcome',
    labelNames: ['scheme', 'status'],
    registers: [registry],
  });
  return {
    registry,
    countWebhook: (scheme: string, status: string) => webhooks.inc({ scheme, status }),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
