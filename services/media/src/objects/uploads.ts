import type { IncomingMessage } from 'node:http';
import type { Db } from '@lms/database/connect';
import { statusOf, unavailable } from '@lms/service/problems';
import type { Storage } from '../storage.ts';
import { discardObject } from './discard-object.ts';
import { UploadTooLarge, UploadTooSlow } from './errors.ts';
import { type FileProperties, objectRepository } from './repository.ts';
import { watchSender } from './sender.ts';
import type { StoredObject } from './table.ts';
import type { TransferMetrics } from './transfer-metrics.ts';
import { createUploadSlots } from './upload-slots.ts';

export interface UploadsOptions {
  db: Db;
  storage: Storage;
  maxConcurrentUploads: number;
  /** The window over which the average rate of a sender is measured. */
  senderWindowMs: number;
  /** How long the attachment of a received file is tried again. */
  attachMs: number;
  metrics: Pick<TransferMetrics, 'uploadStarted' | 'uploadEnded' | 'bytesReceived'>;
}

export interface Offer {
  topicId: string;
  name?: string;
  description?: string;
}

export interface Upload {
  userId: string;
  maxBytes: number;
  /** Aborted when the client disconnects or is too slow. */
  signal: AbortSignal;
  /** Counts received bytes. */
  bytesReceived: (length: number) => void;
  /** The object to roll back if the upload fails. */
  object?: Pick<StoredObject, 'id' | 'key'>;
  /** Marks a stored file as offered to content, which attaches it next. */
  markOffered: (file: FileProperties & { id: string }, offer: Offer) => Promise<StoredObject>;
  /**
   * Attaches the object, again and again while content does not respond in time: it may wait for an import that writes, and the
   * client would have to send all bytes again. Content attaches the same object once.
   */
  attach: <T>(request: () => Promise<T>) => Promise<T>;
  /**
   * Discards the object. If content may have attached it, the reaper rolls it back later.
   * @returns the error to respond with
   */
  rollBack: (error: unknown) => Promise<unknown>;
  /** Releases the slot. */
  end: () => void;
}

// Boundaries, part headers and texts: what a form may hold besides its file.
const maxFormOverheadBytes = 256 * 1024;
const renewIntervalMs = 10_000;
// Content cancels a statement after 15 s: after this delay it has attached the object, or never will.
const attachSettledSeconds = 30;

/** Runs the uploads of this process: limits their number, renews their leases, and rolls them back when they fail. */
export function createUploads({
  db,
  storage,
  maxConcurrentUploads,
  senderWindowMs,
  attachMs,
  metrics,
}: UploadsOptions) {
  const running = new Set<Upload>();
  const slots = createUploadSlots(maxConcurrentUploads);
  const closing = new AbortController();
  let onIdle: (() => void) | undefined;

  const timer = setInterval(() => {
    const ids = [...running].flatMap(({ object }) => object?.id ?? []);
    // A renewal may fail: a lease outlives several of them.
    if (ids.length > 0)
      void objectRepository(db)
        .renewLeases(ids)
        .catch(() => undefined);
  }, renewIntervalMs).unref();

  function createUpload(raw: IncomingMessage | undefined, userId: string, maxBytes: number): Upload {
    const sender = raw ? watchSender(raw, senderWindowMs) : { signal: closing.signal, unwatch: () => undefined };
    let isOffered = false;
    let hasTimedOut = false;
    const upload: Upload = {
      userId,
      maxBytes,
      signal: sender.signal,
      // Bytes that come from storage were counted when they were received.
      bytesReceived: raw ? metrics.bytesReceived : () => undefined,

      async markOffered({ id, size, checksum, mimeType }, { topicId, name = '', description = '' }) {
        const values = { size, checksum, mimeType, topicId, name, description };
        const offered = await objectRepository(db).markOffered(id, values);
        if (!offered) throw unavailable(new Error(`Object ${id} was discarded during its upload`));
        isOffered = true;
        return offered;
      },

      async attach(request) {
        for (const until = performance.now() + attachMs; ; )
          try {
            return await request();
          } catch (error) {
            if (!isTimeout(error) || closing.signal.aborted || performance.now() >= until) throw error;
            hasTimedOut = true;
          }
      },

      async rollBack(error) {
        const { object } = upload;
        delete upload.object;
        if (object) {
          const rolledBack =
            isOffered && (hasTimedOut || mayBeAttached(error))
              ? objectRepository(db).postpone(object.id, attachSettledSeconds)
              : discardObject(db, storage, object);
          // The reaper clears what remains.
          await rolledBack.catch(() => undefined);
        }
        return sender.signal.reason instanceof UploadTooSlow ? sender.signal.reason : error;
      },

      end() {
        sender.unwatch();
        running.delete(upload);
        metrics.uploadEnded();
        slots.release(userId);
        if (running.size === 0) onIdle?.();
      },
    };
    return upload;
  }

  return {
    /**
     * Waits for a slot. Call `rollBack` if the upload fails, and `end` in any case.
     * @param raw the request that sends the bytes; none if they are in storage already
     * @throws 413 if the declared length is too large, 429 or 503 if no slot becomes free in time
     */
    async start(raw: IncomingMessage | undefined, userId: string, maxBytes: number): Promise<Upload> {
      await slots.acquire(raw, userId);
      const isClosing = closing.signal.aborted;
      if (isClosing || declaredLengthOf(raw) > maxBytes + maxFormOverheadBytes) {
        slots.release(userId);
        throw isClosing ? unavailable() : new UploadTooLarge({ details: { maxBytes } });
      }
      const upload = createUpload(raw, userId, maxBytes);
      running.add(upload);
      metrics.uploadStarted();
      return upload;
    },

    /** Rejects new uploads, and resolves when the running ones have ended. */
    async close() {
      closing.abort(unavailable());
      clearInterval(timer);
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}

const declaredLengthOf = (raw: IncomingMessage | undefined) => Number(raw?.headers['content-length'] ?? 0);

/** Whether content did not respond within the deadline of an internal request. */
const isTimeout = (error: unknown) => Object(Object(error).cause).name === 'AbortError';

const notSentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** False if content rejected the request, or if the request never reached it. */
function mayBeAttached(error: unknown): boolean {
  const isRejected = (statusOf(error) ?? 500) < 500;
  return !isRejected && !notSentCodes.includes(Object(Object(error).cause).code);
}
