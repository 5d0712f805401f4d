import { isIP } from 'node:net';
import {
  BaseUrl,
  Count,
  Flag,
  HttpOrigin,
  HttpUrl,
  NatsUrl,
  PrivatePem,
  processSettings,
  RedisUrl,
} from '@lms/config/settings';
import type { Registry } from '@lms/telemetry/registry';
import { FormatRegistry, type Static, Type } from '@sinclair/typebox';
import type { Logger } from 'pino';

FormatRegistry.Set('address-range', (text) => {
  const [address = '', bits = '1', ...rest] = text.split('/');
  const version = isIP(address);
  // A range of all addresses would let every client choose its own.
  return (
    version !== 0 && rest.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
});

FormatRegistry.Set('web-origin', (text) => /^https?:\/\/[^/?#@*\\\s]+$/i.test(text) && URL.canParse(text));

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const Config = Type.Object({
  ...processSettings,
  IDENTITY_URL: HttpOrigin({ description: 'Internal URL of identity' }),
  CONTENT_URL: HttpOrigin({ description: 'Internal URL of content' }),
  MEDIA_URL: HttpOrigin({ description: 'Internal URL of media' }),
  ENROLLMENT_URL: HttpOrigin({ description: 'Internal URL of enrollment' }),
  NATS_URL: NatsUrl({ description: 'NATS servers, separated by commas' }),
  REDIS_URL: RedisUrl({ description: 'Redis, for rate limits and quotas' }),
  PASSPORT_PRIVATE_KEY: PrivatePem({ description: 'Signs the passports; an Ed25519 key' }),
  IDP_ISSUER: Type.String({ pattern: '^\\S+$', description: "The `iss` of the provider's tokens" }),
  IDP_JWKS_URL: HttpUrl({ description: "URL of the provider's keys; https, or http on loopback" }),
  IDP_JWKS_IN_PRIVATE_NETWORK: Flag(false, {
    description: 'The keys are fetched within a private network: http is accepted for any host',
  }),
  IDP_AUDIENCE: Type.Optional(Type.String({ description: 'The `aud` that tokens must have' })),
  DOCS_CLIENT_ID: Type.String({
    default: 'lms-local',
    description: 'The public OAuth client with which the page at /api/docs signs in',
  }),
  PUBLIC_URL: BaseUrl({ default: 'http://127.0.0.1:8080', description: 'The API as clients reach it' }),
  TRUSTED_PROXIES: Type.Array(Type.String({ format: 'address-range' }), {
    default: [],
    expected: 'addresses or CIDR ranges, separated by commas',
    description: 'Proxies whose X-Forwarded-For counts: addresses or CIDR ranges, separated by commas',
  }),
  CORS_ORIGINS: Type.Array(Type.Union([Type.Literal('loopback'), Type.String({ format: 'web-origin' })]), {
    default: [],
    expected: 'origins like https://app.example, or loopback, separated by commas',
    description: 'Web origins that may call the API, separated by commas; `loopback` is every port of this machine',
  }),
  RATE_LIMIT_GENERAL: Count({ default: 100, description: 'Requests a minute from one address' }),
  RATE_LIMIT_AUTH: Count({ default: 10, description: 'Requests a minute from one address to /api/auth' }),
  RATE_LIMIT_UPLOAD: Count({ default: 20, description: 'Uploads a minute of one user' }),
  RATE_LIMIT_WEBHOOK: Count({ default: 600, description: 'Webhooks a minute from one address' }),
  RATE_LIMIT_PLAYBACK: Count({ default: 1_200, description: 'Requests a minute of one playback' }),
  QUOTAS_ENABLED: Flag(true, { description: 'Counts calls and uploads against the monthly quota of the plan' }),
  MAX_REQUESTS_IN_FLIGHT: Count({ default: 4_000, description: 'Requests at once; more are refused with 503' }),
});
export type Config = Static<typeof Config>;

/** What every plugin of the gateway gets. */
export interface Options {
  config: Config;
  logger: Logger;
  /** Gets the one line of each request. */
  requestLogger: Logger;
  registry: Registry;
  /** How long a connection may stand still in both directions. */
  idleTimeoutMs?: number;
  /** How long a request waits for identity. */
  identityTimeoutMs?: number;
  /** How long a request waits for Redis before this process counts by itself. */
  redisTimeoutMs?: number;
}

/** The path of PUBLIC_URL; empty for most. */
export const basePathOf = ({ PUBLIC_URL }: Config) => new URL(PUBLIC_URL).pathname.replace(/\/$/, '');

/** Keys that come over plain HTTP from another machine can be replaced on the way. */
export function checkConfig({ IDP_JWKS_URL, IDP_JWKS_IN_PRIVATE_NETWORK }: Partial<Config>): string[] {
  if (IDP_JWKS_IN_PRIVATE_NETWORK || !IDP_JWKS_URL) return [];
  const { protocol, hostname } = new URL(IDP_JWKS_URL);
  if (protocol === 'https:' || loopback.test(hostname)) return [];
  return ['IDP_JWKS_URL: must be an https URL, or an http one on loopback'];
}
