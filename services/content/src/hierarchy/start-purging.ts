import type { Database } from '@lms/database/connect';
import type { Logger } from 'pino';
import { purgeDeleted } from './purge-deleted.ts';

const everyMs = 3_600_000;

/** Purges at once and then every hour; what fails is tried again at the next turn. */
export function startPurging({ db }: Pick<Database, 'db'>, retentionDays: number, logger: Logger) {
  let running: Promise<void> = purge();
  const timer = setInterval(() => {
    running = running.then(purge);
  }, everyMs).unref();

  async function purge() {
    try {
      const total = await purgeDeleted(db, retentionDays);
      if (total > 0) logger.info({ total }, 'deleted content was purged');
    } catch (err) {
      logger.warn({ err }, 'deleted content could not be purged');
    }
  }

  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
