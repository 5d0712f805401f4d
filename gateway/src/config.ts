import { isIP } from 'node:net';
import { Count, Flag, HttpUrl, NatsUrl, Pem, processSettings, RedisUrl } from '@lms/config/settings';
import { FormatRegistry, type Static, Type } from '@sinclair/typebox';

FormatRegistry.Set('address-range', (text) => {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const version = isIP(address);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
});

const keySetUrl = /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$))/;

export const Settings = Type.Object({
  ...processSettings,
  IDENTITY_URL: HttpUrl(),
  CONTENT_URL: HttpUrl(),
  MEDIA_URL: HttpUrl(),
  ENROLLMENT_URL: HttpUrl(),
  NATS_URL: NatsUrl(),
  REDIS_URL: RedisUrl(),
  PASSPORT_PRIVATE_KEY: Pem(),
  IDP_ISSUER: Type.String({ minLength: 1 }),
  IDP_JWKS_URL: HttpUrl(),
  /** The keys lie in a network where nobody can come between: http will do for any host. */
  IDP_JWKS_IN_PRIVATE_NETWORK: Flag(false),
  IDP_AUDIENCE: Type.Optional(Type.String()),
  /** The public client that the reference page is at the provider. */
  DOCS_CLIENT_ID: Type.String({ default: 'lms-local' }),
  PUBLIC_URL: HttpUrl({ default: 'http://127.0.0.1:8080' }),
  TRUSTED_PROXIES: Type.Array(Type.String({ format: 'address-range' }), {
    default: [],
    expected: 'addresses or CIDR ranges, separated by commas',
  }),
  CORS_ORIGINS: Type.Array(Type.String({ pattern: '^https?://[^/\\s]+$' }), {
    default: [],
    expected: 'origins like https://app.example, separated by commas',
  }),
  RATE_LIMIT_GENERAL: Count({ default: 100 }),
  RATE_LIMIT_AUTH: Count({ default: 10 }),
  RATE_LIMIT_UPLOAD: Count({ default: 20 }),
  RATE_LIMIT_WEBHOOK: Count({ default: 600 }),
  QUOTAS_ENABLED: Flag(true),
  MAX_REQUESTS_IN_FLIGHT: Count({ default: 4_000 }),
});
export type Settings = Static<typeof Settings>;

/** Keys that come over plain HTTP from another machine can be replaced on the way. */
export function checkSettings({ IDP_JWKS_URL = '', IDP_JWKS_IN_PRIVATE_NETWORK }: Partial<Settings>): string[] {
  if (IDP_JWKS_IN_PRIVATE_NETWORK || IDP_JWKS_URL === '' || keySetUrl.test(IDP_JWKS_URL)) return [];
  return ['IDP_JWKS_URL: must be an https URL, or an http one on loopback'];
}
