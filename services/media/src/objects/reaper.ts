import { randomUUID } from 'node:crypto';
import type { Db } from '@lms/database/connect';
import type { CallContext } from '@lms/service/service-client';
import { startJob } from '@lms/service/start-job';
import type { Logger } from 'pino';
import type { Storage } from '../storage.ts';
import { deleteDiscardedObject, discardObject } from './discard-object.ts';
import { objectRepository } from './repository.ts';
import type { Kind, StoredObject } from './table.ts';
import type { TransferMetrics } from './transfer-metrics.ts';

/** What content has to be asked before an object can go. Each may be repeated. */
export interface TopicCleanup {
  /** Takes back an offer that content may have taken. */
  rollBack: (object: TopicObject, behalf: CallContext) => Promise<unknown>;
  /** Brings a removal to its end. */
  detach: (object: TopicObject, behalf: CallContext) => Promise<unknown>;
}
export type TopicObject = StoredObject & { topicId: string };

export interface ReaperOptions {
  db: Db;
  storage: Storage;
  cleanups: Record<Kind, TopicCleanup>;
  intervalMs: number;
  /** Counts what was found. */
  objectReaped: TransferMetrics['objectReaped'];
  logger: Pick<Logger, 'warn' | 'info'>;
}

const batchSize = 20;
const longestPauseSeconds = 600;

/**
 * Clears what uploads, replacements, removals and crashes leave: first in content, then in storage, then in the books.
 * It never looks at what is ready, and leaves alone what somebody works on.
 */
export function createReaper({
  db,
  storage,
  cleanups: settlements,
  intervalMs,
  objectReaped: reaped,
  logger,
}: ReaperOptions) {
  let job: ReturnType<typeof startJob> | undefined;

  async function run() {
    for (;;) {
      const due = await objectRepository(db).claimDue(batchSize);
      if (due.length === 0) return;
      await Promise.all(due.map(settle));
    }
  }

  async function settle(object: StoredObject) {
    try {
      await clear(object);
      reaped(object.status, 'cleared');
    } catch (err) {
      const { id, status, attempts } = object;
      reaped(status, 'postponed');
      logger.warn({ err, objectId: id, status, attempts }, 'an object could not be cleared yet');
      await objectRepository(db).postpone(id, Math.min(2 ** attempts, longestPauseSeconds));
    }
  }

  async function clear(object: StoredObject): Promise<void> {
    const { id, kind, status, topicId, passport } = object;
    const behalf = { requestId: randomUUID(), ...(passport && { passport }) };
    if (status === 'discarded') return deleteDiscardedObject(db, storage, object);
    if (topicId !== null && status === 'offered') await settlements[kind].rollBack({ ...object, topicId }, behalf);
    if (topicId !== null && status === 'removing') {
      await settlements[kind].detach({ ...object, topicId }, behalf);
      return;
    }
    logger.info({ objectId: id, status }, 'an upload that did not end is cleared');
    await discardObject(db, storage, id);
  }

  return {
    start() {
      job = startJob({ name: 'reaper', intervalMs, run }, logger);
    },
    /** Runs it now instead of after its interval. */
    runNow: () => job?.runNow(),
    /** Resolves when the current run has ended. */
    stop: async () => job?.stop(),
  };
}
