import type { IncomingMessage } from 'node:http';
import { unavailable } from '@lms/server/problems';
import type { Transfers } from './measure-transfers.ts';
import { createPlaces } from './places.ts';

export interface UploadsOptions {
  /** More than these at once wait a moment, and are answered 503 then. */
  maxConcurrent: number;
  /** How long a sender may stay silent. */
  idleMs: number;
  transfers: Pick<Transfers, 'uploadBegan' | 'uploadEnded' | 'uploaded'>;
  /** Says that objects are being worked on; called again and again while they are. */
  keep: (ids: string[]) => Promise<unknown>;
  /** Clears what an upload that failed leaves. */
  discard: (id: string) => Promise<unknown>;
}

/** One upload under way. */
export interface Upload {
  /** Aborted when the sender goes away. */
  signal: AbortSignal;
  /** Notes bytes that have come in. */
  note: (length: number) => void;
  /** From now on this object goes when the upload fails. */
  hold: (id: string) => void;
  /** From now on it does not. */
  release: (id: string) => void;
}

const keepEveryMs = 10_000;
const lingerMs = 5_000;

/** The uploads of this process: counted, kept alive, and cleared when they fail. */
export function createUploads({ maxConcurrent, idleMs, transfers, keep, discard }: UploadsOptions) {
  const running = new Map<Promise<unknown>, Set<string>>();
  const places = createPlaces(maxConcurrent);
  let ending = false;

  const keeper = setInterval(() => {
    const ids = [...running.values()].flatMap((held) => [...held]);
    // A beat that is missed costs nothing: the lease outlives several.
    if (ids.length > 0) void keep(ids).catch(() => undefined);
  }, keepEveryMs).unref();

  /** @throws a 503 when too many run already */
  async function run<T>(raw: IncomingMessage, work: (upload: Upload) => Promise<T>): Promise<T> {
    await places.take(raw);
    try {
      return await begin(raw, work);
    } finally {
      places.leave();
    }
  }

  async function begin<T>(raw: IncomingMessage, work: (upload: Upload) => Promise<T>): Promise<T> {
    if (ending) throw unavailable();
    const held = new Set<string>();
    const ended = attempt(raw, held, work);
    running.set(ended, held);
    transfers.uploadBegan();
    try {
      return await ended;
    } finally {
      running.delete(ended);
      transfers.uploadEnded();
    }
  }

  async function attempt<T>(raw: IncomingMessage, held: Set<string>, work: (upload: Upload) => Promise<T>) {
    const sender = watchSender(raw, idleMs);
    try {
      return await work({
        signal: sender.signal,
        note: transfers.uploaded,
        hold: (id) => void held.add(id),
        release: (id) => void held.delete(id),
      });
    } catch (error) {
      await Promise.all([...held].map(discard));
      throw error;
    }
  }

  return {
    run,
    /** Takes no more, and resolves when those under way have ended. */
    async end() {
      ending = true;
      clearInterval(keeper);
      await Promise.allSettled(running.keys());
    },
  };
}

function watchSender(raw: IncomingMessage, idleMs: number) {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.complete) gone.abort();
  });
  // Silence while we ourselves have stopped reading (the storage is slow) is not the sender's.
  raw.setTimeout(idleMs, () => {
    if (raw.isPaused()) raw.setTimeout(idleMs);
    else raw.destroy();
  });
  raw.once('end', () => raw.setTimeout(0));
  return { signal: gone.signal };
}

/** Lets a sender that was answered early send on for a moment, so that it sees the answer instead of a reset. */
export function dismiss(raw: IncomingMessage) {
  if (raw.complete) return;
  raw.unpipe();
  raw.resume();
  const patience = setTimeout(() => raw.destroy(), lingerMs).unref();
  raw.once('close', () => clearTimeout(patience));
}
