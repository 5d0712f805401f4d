import { createWakeSignal } from '@lms/events/wake-signal';
import type { FastifyBaseLogger } from 'fastify';

export interface Job {
  /** The name for log messages. */
  name: string;
  intervalMs: number;
  run: () => Promise<unknown>;
}

const firstRetryMs = 1_000;

/** Runs a job at once and then after each interval, one run at a time. A failed run is retried with back-off. */
export function startJob({ name, intervalMs, run }: Job, logger: Pick<FastifyBaseLogger, 'warn'>) {
  const closing = new AbortController();
  const wakeSignal = createWakeSignal(closing.signal);
  let failures = 0;

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        await run();
        failures = 0;
      } catch (err) {
        failures += 1;
        logger.warn({ err, job: name, failures }, 'job failed and will be retried');
      }
      await wakeSignal.wait(failures === 0 ? intervalMs : Math.min(firstRetryMs * 2 ** (failures - 1), intervalMs));
    }
  }
  const ended = loop();

  return {
    /** Starts a run now, or after the current one. */
    runNow: wakeSignal.notify,
    /** Resolves when the current run has ended; none follows. */
    async stop() {
      closing.abort();
      await ended;
    },
  };
}
