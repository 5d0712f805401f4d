import { EventEmitter, once } from 'node:events';
import type { FastifyReply } from 'fastify';
import { unavailable } from './problems.ts';

interface Options {
  /** How many may run at the same time. */
  max: number;
  /** How long others wait. */
  maxWaitMs: number;
}

const retryAfterSeconds = 5;

/**
 * Limits how many of something run in this process at the same time, such as responses that need much memory or a
 * connection. Of the same key, such as a user, one runs at a time.
 * @returns a function that waits for its turn and returns another one, to be called at the end; it throws a 503 if it
 * waits too long
 */
export function limitConcurrency({ max, maxWaitMs }: Options) {
  const running = new Set<string>();
  const ends = new EventEmitter().setMaxListeners(0);

  return async function begin(key: string): Promise<() => void> {
    let timeout: AbortSignal | undefined;
    while (running.size >= max || running.has(key)) {
      timeout ??= AbortSignal.timeout(maxWaitMs);
      await once(ends, 'end', { signal: timeout }).catch((cause: unknown) => {
        throw unavailable(cause, retryAfterSeconds);
      });
    }
    running.add(key);
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      running.delete(key);
      ends.emit('end');
    };
  };
}

/**
 * Calls `end` when the response has been sent, or its client has disconnected, which may have happened already.
 * @param maxMs disconnects a client that reads for longer
 */
export function onceSent({ raw }: FastifyReply, end: () => void, maxMs: number) {
  if (raw.destroyed) return end();
  const timer = setTimeout(() => raw.destroy(), maxMs);
  const onEnd = () => {
    clearTimeout(timer);
    raw.off('finish', onEnd).off('close', onEnd);
    end();
  };
  raw.once('finish', onEnd).once('close', onEnd);
}
