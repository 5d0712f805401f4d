import { type IntegerOptions, type SchemaOptions, type Static, type StringOptions, Type } from '@sinclair/typebox';

const maxSeconds = 2_147_483;
const encoded = ', with special characters of the password percent-encoded';

export const HttpUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'http-url', expected: 'an http(s) URL', ...options });
/** A URL to which paths are appended. */
export const BaseUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'base-url', expected: 'an http(s) URL without a query', ...options });
/** The URL of a server, for clients that request paths of their own. */
export const HttpOrigin = (options: StringOptions = {}) =>
  Type.String({ format: 'http-origin', expected: 'an http(s) URL without a path', ...options });
export const PostgresUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'postgres-url', expected: `a postgres:// URL${encoded}`, ...options });
export const NatsUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'nats-url', expected: `nats:// or tls:// URLs${encoded}`, ...options });
export const RedisUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'redis-url', expected: `a redis:// or rediss:// URL${encoded}`, ...options });
export const Pem = (options: StringOptions = {}) =>
  Type.String({ format: 'pem', expected: 'an Ed25519 key in PEM', ...options });
export const PrivatePem = (options: StringOptions = {}) =>
  Type.String({ format: 'private-pem', expected: 'an Ed25519 private key in PEM', ...options });
/** The secret with which services prove their own authority to each other, see `createServiceTokens` of @lms/auth. */
export const ServiceSecret = () =>
  Type.String({
    minLength: 32,
    expected: 'a secret of at least 32 characters',
    description: 'Secret that content and media share, for requests of imports and exports between them',
  });
export const Port = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: 0, maximum: 65_535, expected: 'a port number', ...options });
export const Count = (options: IntegerOptions = {}) => {
  const minimum = options.minimum ?? 1;
  return Type.Integer({
    maximum: Number.MAX_SAFE_INTEGER,
    expected: `a whole number, ${minimum} or more`,
    ...options,
    minimum,
  });
};
/** Seconds that become a timer: of longer ones, Node.js makes a millisecond. */
export const Seconds = ({ minimum = 1, ...options }: IntegerOptions = {}) =>
  Type.Integer({
    minimum,
    maximum: maxSeconds,
    expected: `a whole number of seconds from ${minimum} to ${maxSeconds}`,
    ...options,
  });
export const Flag = (fallback: boolean, options: SchemaOptions = {}) =>
  Type.Boolean({ default: fallback, expected: 'true or false', ...options });
/** A list in one variable, separated by commas by default. */
export const StringList = (options: SchemaOptions & { separator?: string } = {}) =>
  Type.Array(Type.String(), { default: [], separator: ',', ...options });
export const Choice = <const T extends readonly string[]>(
  values: T,
  fallback: T[number],
  options: SchemaOptions = {},
) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { default: fallback, expected: `one of ${values.join(', ')}`, ...options },
    ),
  );

/** Settings of every process. The descriptions appear in the READMEs and in `.env.example`. */
export const processSettings = {
  NODE_ENV: Type.String({
    default: 'production',
    description: '`development` accepts settings that are unsafe elsewhere',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address of the public port' }),
  PORT: Port({ default: 0, description: 'Public port; 0 is any free one' }),
  ADMIN_HOST: Type.String({ default: '127.0.0.1', description: 'Address of the private port' }),
  ADMIN_PORT: Port({ default: 0, description: 'Private port with probes and metrics; 0 is any free one' }),
  LOG_LEVEL: Choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info', {
    description: 'Lines below this level are not written',
  }),
  SHUTDOWN_TIMEOUT: Seconds({ default: 20, description: 'Seconds until a shutdown cuts off what is still running' }),
  SHUTDOWN_DELAY: Seconds({
    default: 0,
    minimum: 0,
    description: 'Seconds of SHUTDOWN_TIMEOUT in which load balancers may still send requests',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    BaseUrl({ description: 'OpenTelemetry collector for traces; without it none are recorded' }),
  ),
};
const ProcessSettings = Type.Object(processSettings);
export type ProcessSettings = Static<typeof ProcessSettings>;

/** Settings of a process without a public port. */
export const workerSettings = Type.Omit(ProcessSettings, ['HOST', 'PORT']).properties;

/** Settings of every service. */
export const serviceSettings = {
  ...processSettings,
  DATABASE_URL: PostgresUrl({ description: "The service's own database" }),
  NATS_URL: NatsUrl({ description: 'NATS servers, separated by commas' }),
  PASSPORT_PUBLIC_KEY: Pem({ description: "The gateway's public key, which verifies passports" }),
};
const ServiceSettings = Type.Object(serviceSettings);
export type ServiceSettings = Static<typeof ServiceSettings>;
