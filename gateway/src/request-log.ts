import { createLogDestination } from '@lms/service/log-destination';
import { pino } from 'pino';

const bufferedBytes = 15 * 1_024;
const flushMs = 200;

/**
 * A logger for the one line of each request. Its lines are written together, a few times a second at least:
 * a write for each would cost a request more than all its checks. What goes wrong is logged elsewhere, and at once.
 */
export function openRequestLog(name: string, level: string) {
  const destination = createLogDestination({ minLength: bufferedBytes });
  const timer = setInterval(() => destination.flush(), flushMs).unref();
  return {
    logger: pino({ name, level }, destination),
    close() {
      clearInterval(timer);
      destination.flushSync();
    },
  };
}
export type RequestLog = ReturnType<typeof openRequestLog>;
