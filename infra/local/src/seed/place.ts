import type { Settings } from '../settings.ts';

/** What seeding needs to know of a running system, wherever it runs. */
export interface Place {
  settings: Pick<Settings, 'SEED' | 'IDP_ISSUER' | 'WEBHOOK_SECRETS'>;
  secrets: { passport: { privateKey: string }; webhook: string };
  addresses: Record<'identity' | 'content' | 'media' | 'enrollment' | 'identityProvider', { url: string }>;
}
