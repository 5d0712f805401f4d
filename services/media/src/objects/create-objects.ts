import type { Database, Db } from '@lms/database/connect';
import type { Storage } from '../storage.ts';
import type { DownloadRequest } from './describe-download.ts';
import { createDownloadLimit } from './download-limit.ts';
import { openDownload } from './open-download.ts';
import type { FilePart, Part } from './read-form.ts';
import { type FormOptions, receiveForm, receiveSmallForm } from './receive-form.ts';
import { objectRepository } from './repository.ts';
import { type FileOptions, storeFile } from './store-file.ts';
import type { Downloadable } from './table.ts';
import type { TransferMetrics } from './transfer-metrics.ts';
import { createUploads, type Upload } from './uploads.ts';
import type { AccessWatch } from './watch-access.ts';

export interface ObjectsOptions {
  database: Pick<Database, 'db'>;
  storage: Storage;
  maxConcurrentUploads: number;
  /** The window over which the average rate of a sender is measured. */
  senderWindowMs: number;
  /** How long the attachment of a received file is tried again. */
  attachMs: number;
  /** How long a client may read nothing of a download. */
  readerIdleMs: number;
  /** How many downloads a user may have at once. */
  maxDownloadsPerUser: number;
  accessWatch: AccessWatch;
  metrics: TransferMetrics;
}

/** Stored objects, as videos and documents use them. */
export function createObjects({
  database: { db },
  storage,
  readerIdleMs,
  maxDownloadsPerUser,
  accessWatch,
  metrics,
  ...limits
}: ObjectsOptions) {
  return {
    repository: (tx: Db = db) => objectRepository(tx),
    uploads: createUploads({ db, storage, metrics, ...limits }),
    downloadLimit: createDownloadLimit(maxDownloadsPerUser),
    metrics,
    readerIdleMs,
    accessWatch,
    receiveForm: (upload: Upload, parts: AsyncIterator<Part>, options: FormOptions) =>
      receiveForm(db, storage, upload, parts, options),
    receiveSmallForm,
    storeFile: (upload: Upload, part: FilePart, options: FileOptions) => storeFile(db, storage, upload, part, options),
    openDownload: (find: () => Promise<Downloadable>, request: DownloadRequest) => openDownload(storage, find, request),
  };
}
export type Objects = ReturnType<typeof createObjects>;
