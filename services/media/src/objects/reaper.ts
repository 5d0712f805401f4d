import { randomUUID } from 'node:crypto';
import type { Db } from '@lms/database/connect';
import type { CallContext } from '@lms/service/service-client';
import { startJob } from '@lms/service/start-job';
import type { Logger } from 'pino';
import type { Storage } from '../storage.ts';
import { deleteDiscarded, discardObject } from './discard-object.ts';
import { objectRepository } from './repository.ts';
import type { AttachableKind, Kind, StoredObject, TopicObject } from './table.ts';
import type { TransferMetrics } from './transfer-metrics.ts';

/** What happens to an object before its bytes are deleted. Both discard it, and may be repeated. */
export interface TopicCleanup {
  /** Rolls back an upload that content may have attached. */
  rollBack: (object: TopicObject) => Promise<unknown>;
  /** Completes a removal. */
  detach: (object: TopicObject, callContext: CallContext) => Promise<unknown>;
}

export interface ReaperOptions {
  db: Db;
  storage: Storage;
  cleanups: Record<AttachableKind, TopicCleanup>;
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
    const { id, kind, status, topicId, passport } = object;
    const callContext = { requestId: randomUUID(), ...(passport && { passport }) };
    if (status === 'discarded') return deleteDiscarded(db, storage, object);
    // Only what content attaches is ever offered to it or removed from it.
    const cleanup = isAttachable(kind) ? cleanups[kind] : undefined;
    if (cleanup && topicId !== null && status === 'removing') {
      await cleanup.detach({ ...object, topicId }, callContext);
      return;
    }
    logger.info({ objectId: id, status }, 'unfinished upload discarded');
    if (!cleanup || topicId === null || status !== 'offered') return discardObject(db, storage, id);
    await cleanup.rollBack({ ...object, topicId });
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
