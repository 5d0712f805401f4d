import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Runs a job again and again, with a pause between; a failure is logged and tried again at the next turn. */
export function repeat(job: () => Promise<unknown>, pauseMs: number, logger: Logger) {
  const closing = new AbortController();
  const ended = (async () => {
    while (!closing.signal.aborted) {
      await job().catch((err: unknown) => logger.warn({ err }, 'a job failed and will be tried again'));
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();
  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}
