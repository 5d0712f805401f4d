import type { IncomingMessage } from 'node:http';
import { defineProblem, unavailable } from '@lms/service/problems';

const waitMs = 3_000;
const retryAfterSeconds = 5;

const TooManyUploads = defineProblem('RATE_LIMITED', 429, 'You have too many uploads in progress');

interface Waiter {
  userId: string;
  grant: () => void;
}

/**
 * Limits the concurrent uploads of this process. Four times as many may wait for a slot, so that bursts succeed.
 * A user holds at most a quarter of the slots and of the queue.
 */
export function createUploadSlots(total: number) {
  const maxPerUser = Math.max(1, Math.floor(total / 4));
  const maxWaiting = 4 * total;
  const held = new Map<string, number>();
  const waiting: Waiter[] = [];
  let free = total;

  const heldBy = (userId: string) => held.get(userId) ?? 0;
  const canAcquire = (userId: string) => free > 0 && heldBy(userId) < maxPerUser;
  const add = (userId: string, by: 1 | -1) => {
    free -= by;
    const count = heldBy(userId) + by;
    if (count > 0) held.set(userId, count);
    else held.delete(userId);
  };
  const rejection = (userId: string) =>
    heldBy(userId) < maxPerUser ? unavailable(undefined, retryAfterSeconds) : tooManyUploads(maxPerUser);

  return {
    /** @throws 429 if the user holds all slots of their share, else 503, if no slot becomes free in time */
    async acquire(raw: IncomingMessage | undefined, userId: string): Promise<void> {
      if (canAcquire(userId)) {
        add(userId, 1);
        return;
      }
      const isQueueFull = waiting.length >= maxWaiting;
      if (isQueueFull || waiting.filter((other) => other.userId === userId).length >= total) throw rejection(userId);
      await new Promise<void>((resolve, reject) => {
        const leaveQueue = () => {
          clearTimeout(timer);
          raw?.off('close', giveUp);
          waiting.splice(waiting.indexOf(waiter), 1);
        };
        const waiter = {
          userId,
          grant() {
            leaveQueue();
            add(userId, 1);
            resolve();
          },
        };
        const giveUp = () => {
          leaveQueue();
          reject(rejection(userId));
        };
        const timer = setTimeout(giveUp, waitMs);
        raw?.once('close', giveUp);
        waiting.push(waiter);
      });
    },

    /** Passes the slot to the first waiting user who may acquire it. */
    release(userId: string) {
      add(userId, -1);
      waiting.find((next) => canAcquire(next.userId))?.grant();
    },
  };
}

function tooManyUploads(limit: number) {
  const resetAt = new Date(Date.now() + retryAfterSeconds * 1_000).toISOString();
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new TooManyUploads({ details: { scope: 'upload', limit, resetAt }, headers });
}
