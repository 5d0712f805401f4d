import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { Delivery } from './delivery.ts';

/** Counts the provider's deliveries; a secret is told by its place among those that are set, `none` where none fits. */
export function createWebhookCounter(registry: Registry) {
  const count = createCounter(registry, {
    name: 'identity_webhooks_total',
    help: 'Webhooks of the identity provider by signature scheme, secret and outcome',
    labels: ['scheme', 'secret', 'outcome'],
  });
  return ({ scheme, secret, outcome }: Delivery) => count({ scheme, secret: String(secret ?? 'none'), outcome });
}
