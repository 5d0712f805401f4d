import postgres from 'postgres';

/** The driver's error inside whatever it came wrapped in. */
function postgresErrorOf(error: unknown): postgres.PostgresError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof postgres.PostgresError) return cause;
  return undefined;
}

/** The name of the unique constraint or index that a write ran into, if it was that. */
export function uniqueViolation(error: unknown): string | undefined {
  const failure = postgresErrorOf(error);
  return failure?.code === '23505' ? failure.constraint_name : undefined;
}

const connectionCodes = new Set([
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
// Shut down, crashed, starting up, read-only after a failover, cancelled by a time limit, deadlocked with another.
const outageStates = new Set(['57P01', '57P02', '57P03', '25006', '57014', '55P03', '40P01', '40001']);
// Connections, resources (too many clients, disk full), the system below.
const outageClasses = new Set(['08', '53', '58']);

/** True when the database is out of reach rather than the request wrong: worth a 503 and another try. */
export function isDatabaseOutage(error: unknown): boolean {
  const failure = postgresErrorOf(error);
  if (failure) return outageStates.has(failure.code) || outageClasses.has(failure.code.slice(0, 2));
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && connectionCodes.has(cause.code)) return true;
  return false;
}
