import { type DestinationStream, pino } from 'pino';

export interface LogDestinationOptions {
  /** Buffers this many bytes before writing, or until `flush`. */
  minLength?: number;
  /** Writes the buffer after this many milliseconds. */
  periodicFlush?: number;
}

/**
 * Writes the log to standard output, synchronously. If the reader of standard output goes away, only log lines are lost:
 * by default, pino would exit the process then, and could hang while doing so.
 */
export function createLogDestination(options: LogDestinationOptions = {}) {
  const destination = pino.destination({ dest: 1, sync: true, ...options });
  destination.on('error', () => undefined);
  return destination satisfies DestinationStream;
}
