import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { WebhookStatus } from './schemas.ts';
import type { Scheme } from './verify-signature.ts';

/** The result of one delivery. */
export interface Delivery {
  scheme: Scheme;
  /** The number of the secret that matched, counted from 1; undefined if none matched. */
  secret?: number;
  /** `refused`: the signature is missing or invalid; `failed`: the signature is valid, but processing failed. */
  outcome: WebhookStatus | 'refused' | 'failed';
}

/** The label `secret` is the number of the secret that matched, or `none`. */
export function createWebhookCounter(registry: Registry) {
  const count = createCounter(registry, {
    name: 'identity_webhooks_total',
    help: 'Webhooks of the identity provider by signature scheme, secret and outcome',
    labels: ['scheme', 'secret', 'outcome'],
  });
  return ({ scheme, secret, outcome }: Delivery) => count({ scheme, secret: String(secret ?? 'none'), outcome });
}
