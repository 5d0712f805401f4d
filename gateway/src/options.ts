import type { Registry } from '@lms/telemetry/registry';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

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
