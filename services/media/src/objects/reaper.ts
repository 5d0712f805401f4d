import type { Db } from '@lms/database/connect';
import { startJob } from '@lms/service/start-job';
import type { Logger } from 'pino';
import type { Storage } from '../storage.ts';
import { deleteDiscarded, discardObject } from './discard-object.ts';
import { objectRepository } from './repository.ts';
import type { AttachableKind, Kind, StoredObject, TopicObject } from './table.ts';
import type { TransferMetrics } from './transfer-metrics.ts';

/** Withdraws an object that content may show, and discards it. May be repeated. */
export type Withdraw = (object: TopicObject) => Promise<unknown>;

export interface ReaperOptions {
  db: Db;
  storage: Storage;
  withdrawals: Record<AttachableKind, Withdraw>;
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
export function createReaper({ db, storage, withdrawals, intervalMs, metrics, logger }: ReaperOptions) {
  let job: ReturnType<typeof startJob> | undefined;

  async function run() {
    await objectRepository(db).discardExpired();
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
    const { id, kind, status, topicId } = object;
    if (status === 'discarded') return deleteDiscarded(db, storage, object);
    // Only what content attaches is ever offered to it or removed from it.
    const withdraw = isAttachable(kind) ? withdrawals[kind] : undefined;
    logger.info({ objectId: id, status }, 'unfinished upload or removal is cleared');
    const mayBeShown = status === 'offered' || status === 'removing';
    if (!withdraw || topicId === null || !mayBeShown) return discardObject(db, storage, object);
    await withdraw({ ...object, topicId });
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

const isAttachable = (kind: Kind): kind is AttachableKind => kind === 'video' || kind === 'document';
