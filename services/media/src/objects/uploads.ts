import type { IncomingMessage } from 'node:http';
import { unavailable } from '@lms/service/problems';
import { UploadTooSlow } from './errors.ts';
import type { TransferMetrics } from './transfer-metrics.ts';
import { createUploadSlots } from './upload-slots.ts';

export interface UploadsOptions {
  /** More than these at once wait a moment, and get a 503 then; one user has a quarter of them at most. */
  maxConcurrent: number;
  /** The time over which a sender's average rate is measured. */
  senderWindowMs: number;
  transfers: Pick<TransferMetrics, 'uploadStarted' | 'uploadEnded' | 'bytesReceived'>;
  /** Says that objects are being worked on; called again and again while they are. */
  keep: (ids: string[]) => Promise<unknown>;
  /** Clears what an upload that failed leaves. */
  discard: (id: string) => Promise<unknown>;
}

/** One upload under way. */
export interface Upload {
  /** Aborted when the sender goes away or is too slow. */
  signal: AbortSignal;
  /** Notes bytes that have come in. */
  note: (length: number) => void;
  /** From now on this object goes when the upload fails. */
  hold: (id: string) => void;
  /** From now on it does not. */
  release: (id: string) => void;
}

// A slot is worth more than a sender slower than this; the slowest phone networks manage several times as much.
const leastBytesPerSecond = 1_024;
const looksPerWindow = 30;
const keepEveryMs = 10_000;
const lingerMs = 5_000;

/** The uploads of this process: counted, kept alive, and cleared when they fail. */
export function createUploads({ maxConcurrent, senderWindowMs, transfers, keep, discard }: UploadsOptions) {
  const running = new Map<Promise<unknown>, Set<string>>();
  const slots = createUploadSlots(maxConcurrent);
  let ending = false;

  const keeper = setInterval(() => {
    const ids = [...running.values()].flatMap((held) => [...held]);
    // A beat that is missed costs nothing: the lease outlives several.
    if (ids.length > 0) void keep(ids).catch(() => undefined);
  }, keepEveryMs).unref();

  /** @throws a 429 or 503 when too many run already, a 408 when the sender is too slow */
  async function run<T>(raw: IncomingMessage, userId: string, work: (upload: Upload) => Promise<T>): Promise<T> {
    await slots.acquire(raw, userId);
    try {
      return await begin(raw, work);
    } finally {
      slots.release(userId);
    }
  }

  async function begin<T>(raw: IncomingMessage, work: (upload: Upload) => Promise<T>): Promise<T> {
    if (ending) throw unavailable();
    const held = new Set<string>();
    const ended = attempt(raw, held, work);
    running.set(ended, held);
    transfers.uploadStarted();
    try {
      return await ended;
    } finally {
      running.delete(ended);
      transfers.uploadEnded();
    }
  }

  async function attempt<T>(raw: IncomingMessage, held: Set<string>, work: (upload: Upload) => Promise<T>) {
    const sender = watchSender(raw, senderWindowMs);
    try {
      return await work({
        signal: sender.signal,
        note: transfers.bytesReceived,
        hold: (id) => void held.add(id),
        release: (id) => void held.delete(id),
      });
    } catch (error) {
      await Promise.all([...held].map(discard));
      throw sender.signal.reason instanceof UploadTooSlow ? sender.signal.reason : error;
    } finally {
      sender.unwatch();
    }
  }

  return {
    run,
    /** Takes no more, and resolves when those under way have ended. */
    async close() {
      ending = true;
      clearInterval(keeper);
      await Promise.allSettled(running.keys());
    },
  };
}

function watchSender(raw: IncomingMessage, windowMs: number) {
  const aborting = new AbortController();
  const { socket } = raw;
  let bytesBefore = socket.bytesRead;
  let looks = 0;
  const timer = setInterval(() => {
    // While the storage is slow and we ourselves have stopped reading, the sender is not the one who is late.
    if (raw.isPaused()) return;
    looks += 1;
    if (looks < looksPerWindow) return;
    if (socket.bytesRead - bytesBefore < (leastBytesPerSecond * windowMs) / 1_000) aborting.abort(new UploadTooSlow());
    bytesBefore = socket.bytesRead;
    looks = 0;
  }, windowMs / looksPerWindow);
  const unwatch = () => clearInterval(timer);
  raw.once('end', unwatch);
  raw.once('close', () => {
    if (!raw.complete) aborting.abort();
  });
  return { signal: aborting.signal, unwatch };
}

/** Lets a sender that was answered early send on for a moment, so that it sees the answer instead of a reset. */
export function drainRequest(raw: IncomingMessage) {
  if (raw.complete) return;
  raw.unpipe();
  raw.resume();
  const patience = setTimeout(() => raw.destroy(), lingerMs).unref();
  raw.once('close', () => clearTimeout(patience));
}
