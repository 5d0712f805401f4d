import type { Database, Db } from '@lms/database/connect';
import type { Storage } from '../storage.ts';
import type { DownloadRequest } from './describe-download.ts';
import { discardObject } from './discard-object.ts';
import { type HandOver, handOver } from './hand-over.ts';
import { openDownload } from './open-download.ts';
import { type ReceiveForm, receiveForm } from './receive-form.ts';
import { objectRepository } from './repository.ts';
import type { StoredObject } from './table.ts';
import type { TransferMetrics } from './transfer-metrics.ts';
import { createUploads } from './uploads.ts';

export interface ObjectStoreOptions {
  database: Pick<Database, 'db'>;
  storage: Storage;
  maxConcurrentUploads: number;
  /** The time over which a sender's average rate is measured. */
  senderWindowMs: number;
  /** How long a reader may take no byte. */
  readerIdleMs: number;
  metrics: TransferMetrics;
}

/** The bookkeeping of bytes, as the rooms of videos and documents use it. */
export function createObjects(options: ObjectStoreOptions) {
  const { storage, maxConcurrentUploads, senderWindowMs, readerIdleMs, metrics: transfers } = options;
  const { db } = options.database;
  const uploads = createUploads({
    maxConcurrent: maxConcurrentUploads,
    senderWindowMs,
    transfers,
    keep: (ids) => objectRepository(db).renewLeases(ids),
    // What cannot be cleared now is cleared by the reaper.
    discard: (id) => discardObject(db, storage, id).catch(() => undefined),
  });

  return {
    /** The books, also within a transaction. */
    repository: (tx: Db = db) => objectRepository(tx),
    uploads,
    metrics: transfers,
    readerIdleMs,
    receiveForm: (form: ReceiveForm) => receiveForm(db, storage, form),
    handOver: <T>(input: HandOver, take: (tx: Db, offered: StoredObject) => Promise<T>) => handOver(db, input, take),
    openDownload: (find: () => Promise<StoredObject>, asked: DownloadRequest) => openDownload(storage, find, asked),
  };
}
export type Objects = ReturnType<typeof createObjects>;
