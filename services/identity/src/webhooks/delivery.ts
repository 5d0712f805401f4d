import type { WebhookStatus } from './schemas.ts';
import type { Scheme } from './verify-signature.ts';

/** What became of one delivery; `failed` when it was genuine and could not be dealt with. */
export interface Delivery {
  scheme: Scheme;
  /** Which of the secrets it is signed with, from 1. */
  secret?: number;
  outcome: WebhookStatus | 'refused' | 'failed';
}
