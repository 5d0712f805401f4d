import postgres from 'postgres';

/** Unwraps the driver's error. */
function postgresErrorOf(error: unknown): postgres.PostgresError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof postgres.PostgresError) return cause;
  return undefined;
}

/** The name of the violated unique constraint or index; undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
  const postgresError = postgresErrorOf(error);
  return postgresError?.code === '23505' ? postgresError.constraint_name : undefined;
}

/** True if a statement gave up waiting for a lock. */
export const isLockTimeout = (error: unknown) => postgresErrorOf(error)?.code === '55P03';

/** True if PostgreSQL ended a transaction because several waited for one another. */
export const isDeadlock = (error: unknown) => postgresErrorOf(error)?.code === '40P01';

const connectionCodes = new Set([
  // All connections of the pool are in use.
  'ACQUIRE_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
// Shutdown, crash, startup, read-only after a failover, statement or lock timeout, deadlock, serialization failure.
const outageStates = new Set(['57P01', '57P02', '57P03', '25006', '57014', '55P03', '40P01', '40001']);
// Connection errors, insufficient resources (too many clients, disk full), system errors.
const outageClasses = new Set(['08', '53', '58']);

/** True if the database is unavailable, so that the client should get a 503 and retry. */
export function isDatabaseOutage(error: unknown): boolean {
  const postgresError = postgresErrorOf(error);
  if (postgresError) return outageStates.has(postgresError.code) || outageClasses.has(postgresError.code.slice(0, 2));
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && connectionCodes.has(cause.code)) return true;
  return false;
}
