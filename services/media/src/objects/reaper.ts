import { randomUUID } from 'node:crypto';
import type { Db } from '@lms/database/connect';
import type { CallContext } from '@lms/service/service-client';
import { startJob } from '@lms/service/start-job';
import type { Logger } from 'pino';
import type { Storage } from '../storage.ts';
import { deleteDiscarded, discardObject } from './discard-object.ts';
import { objectRepository } from './repository.ts';
import type { Kind, StoredObject } from './table.ts';
import type { TransferMetrics } from './transfer-metrics.ts';

/** What content must be asked before an object is discarded. Both may be repeated. */
export interface TopicCleanup {
  /** Rolls back an upload that content may have attached. */
  rollBack: (object: TopicObject, callContext: CallContext) => Promise<unknown>;
  /** Completes a removal, and discards the object. */
  detach: (object: TopicObject, callContext: CallContext) => Promise<unknown>;
}
export type TopicObject = StoredObject & { topicId: string };

export interface ReaperOptions {
  db: Db;
  storage: Storage;
  cleanups: Record<Kind, TopicCleanup>;
  intervalMs: number;
  metrics: Pick<TransferMetrics, 'objectReaped'>;
  logger: Pick<Logger, 'warn' | 'info'>;
}

const batchSize = 20;
const maxBackOffSeconds = 600;

/**
 * Clears what uploads, replacements, removals and crashes leave behind: first in content, then in storage, then in the
 * database. Skips objects that are ready, and objects with a current lease.
 */
export function createReaper({ db, storage, cleanups, intervalMs, metrics, logger }: ReaperOptions) {
  let job: ReturnType<typeof startJob> | undefined;

  async function run() {
    for (;;) {
      const due = await objectRepository(db).claimDue(batchSize);
      if (due.length === 0) return;
      await Promise.all(due.map(reap));
    }
  }

  async function reap(object: StoredObject) {
    try {
      await clear(object);
      metrics.objectReaped(object.status, 'cleared');
    } catch (err) {
      const { id, status, attempts } = object;
      metrics.objectReaped(status, 'postponed');
      logger.warn({ err, objectId: id, status, attempts }, 'object cleanup failed and will be retried');
      await objectRepository(db).postpone(id, Math.min(2 ** attempts, maxBackOffSeconds));
    }
  }

  async function clear(object: StoredObject): Promise<void> {
    const { id, kind, status, topicId, passport } = object;
    const callContext = { requestId: randomUUID(), ...(passport && { passport }) };
    if (status === 'discarded') return deleteDiscarded(db, storage, object);
    if (topicId !== null && status === 'offered') await cleanups[kind].rollBack({ ...object, topicId }, callContext);
    if (topicId !== null && status === 'removing') {
      await cleanups[kind].detach({ ...object, topicId }, callContext);
      return;
    }
    logger.info({ objectId: id, status }, 'unfinished upload discarded');
    await discardObject(db, storage, id);
  }

  return {
    start() {
      job = startJob({ name: 'reaper', intervalMs, run }, logger);
    },
    /** Runs now instead of after the interval. */
    runNow: () => job?.runNow(),
    /** Resolves when the current run has ended. */
    stop: async () => job?.stop(),
  };
}
