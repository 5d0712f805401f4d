import { type Static, type StringOptions, Type } from '@sinclair/typebox';

export const HttpUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'http-url', expected: 'an http(s) URL', ...options });
export const PostgresUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'postgres-url', expected: 'a postgres:// URL', ...options });
export const NatsUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'nats-url', expected: 'a nats:// URL', ...options });
export const RedisUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'redis-url', expected: 'a redis:// URL', ...options });
export const Pem = () => Type.String({ format: 'pem', expected: 'an Ed25519 key in PEM' });
export const Port = (options: { default?: number } = {}) =>
  Type.Integer({ minimum: 0, maximum: 65_535, expected: 'a port number', ...options });
export const Count = (options: { default?: number; minimum?: number } = {}) => {
  const minimum = options.minimum ?? 1;
  return Type.Integer({
    maximum: Number.MAX_SAFE_INTEGER,
    expected: `a whole number, ${minimum} or more`,
    ...options,
    minimum,
  });
};
export const Flag = (fallback: boolean) => Type.Boolean({ default: fallback, expected: 'true or false' });
/** Words in one variable; split at commas unless another separator is given. */
export const StringList = (separator = ',') => Type.Array(Type.String(), { default: [], separator });
export const Choice = <const T extends readonly string[]>(values: T, fallback: T[number]) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { default: fallback, expected: `one of ${values.join(', ')}` },
    ),
  );

/** What every process of the system understands. */
export const processSettings = {
  NODE_ENV: Type.String({ default: 'production' }),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Port({ default: 0 }),
  ADMIN_HOST: Type.String({ default: '127.0.0.1' }),
  ADMIN_PORT: Port({ default: 0 }),
  LOG_LEVEL: Choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  SHUTDOWN_TIMEOUT: Count({ default: 20 }),
  /** Seconds of SHUTDOWN_TIMEOUT in which load balancers may still send requests. */
  SHUTDOWN_DELAY: Count({ default: 0, minimum: 0 }),
  /** Where traces are sent; none are made without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(HttpUrl()),
};
const ProcessSettings = Type.Object(processSettings);
export type ProcessSettings = Static<typeof ProcessSettings>;

/** What every service understands. */
export const serviceSettings = {
  ...processSettings,
  DATABASE_URL: PostgresUrl(),
  NATS_URL: NatsUrl(),
  /** The gateway's public key, which verifies passports. */
  PASSPORT_PUBLIC_KEY: Pem(),
};
const ServiceSettings = Type.Object(serviceSettings);
export type ServiceSettings = Static<typeof ServiceSettings>;
