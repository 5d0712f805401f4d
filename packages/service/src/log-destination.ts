import { type DestinationStream, pino } from 'pino';

export interface LogDestinationOptions {
  /** Lines are kept until there are so many bytes of them, or until `flush`. */
  minLength?: number;
}

/**
 * Where a process writes its log: its standard output, at once. When whoever reads that goes away the lines are lost,
 * and nothing else: pino by itself would end the process then, and wait for the reader for ever while ending it.
 */
export function createLogDestination(options: LogDestinationOptions = {}) {
  const destination = pino.destination({ dest: 1, sync: true, ...options });
  destination.on('error', () => undefined);
  return destination satisfies DestinationStream;
}
