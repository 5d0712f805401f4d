import type { Settings } from '../settings.ts';

/** The system to seed. */
export interface SeedTarget {
  settings: Pick<Settings, 'SEED' | 'IDP_ISSUER' | 'WEBHOOK_SECRETS'>;
  secrets: { passport: { privateKey: string }; webhook: string };
  addresses: Record<'identity' | 'content' | 'media' | 'enrollment' | 'identityProvider', { url: string }>;
}
