import postgres from 'postgres';

/** The driver's error inside whatever it came wrapped in. */
function postgresErrorOf(error: unknown): postgres.PostgresError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof postgres.PostgresError) return cause;
  return undefined;
}

/** The name of the unique constraint or index that a write ran into, if it was that. */
export function violatedUnique(error: unknown): string | undefined {
  const failure = postgresErrorOf(error);
  return failure?.code === '23505' ? failure.constraint_name : undefined;
}

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
// Shut down, crashed, starting up, out of connections, read-only after a failover, cancelled by its time limit.
const outageStates = new Set(['57P01', '57P02', '57P03', '53300', '25006', '57014']);

/** True when the database is out of reach rather than the request wrong: worth a 503 and another try. */
export function isDatabaseOutage(error: unknown): boolean {
  const failure = postgresErrorOf(error);
  if (failure) return outageStates.has(failure.code) || failure.code.startsWith('08');
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && connectionCodes.has(cause.code)) return true;
  return false;
}
