import type { IncomingMessage } from 'node:http';
import { defineProblem, unavailable } from '@lms/service/problems';

const waitMs = 3_000;
const retryAfterSeconds = 5;

const TooManyUploads = defineProblem('RATE_LIMITED', 429, 'You have too many uploads in progress');

interface Waiting {
  userId: string;
  enter: () => void;
}

/**
 * The uploads that may run at once in this process. Four times as many wait a moment for a slot, so that a burst gets
 * through. No user has more than a quarter of the slots, or of the queue.
 */
export function createUploadSlots(total: number) {
  const share = Math.max(1, Math.floor(total / 4));
  const longestQueue = 4 * total;
  const taken = new Map<string, number>();
  const waiting: Waiting[] = [];
  let free = total;

  const takenBy = (userId: string) => taken.get(userId) ?? 0;
  const isOpenTo = (userId: string) => free > 0 && takenBy(userId) < share;
  const change = (userId: string, by: 1 | -1) => {
    free -= by;
    const now = takenBy(userId) + by;
    if (now > 0) taken.set(userId, now);
    else taken.delete(userId);
  };
  const refusal = (userId: string) =>
    takenBy(userId) < share ? unavailable(undefined, retryAfterSeconds) : tooMany(share);

  return {
    /** @throws a 429 for a user over the share, else a 503, when no slot becomes free in time */
    async acquire(raw: IncomingMessage, userId: string): Promise<void> {
      if (isOpenTo(userId)) {
        change(userId, 1);
        return;
      }
      const isQueueFull = waiting.length >= longestQueue;
      if (isQueueFull || waiting.filter((other) => other.userId === userId).length >= total) throw refusal(userId);
      await new Promise<void>((resolve, reject) => {
        const settle = () => {
          clearTimeout(timer);
          raw.off('close', giveUp);
          waiting.splice(waiting.indexOf(place), 1);
        };
        const place = {
          userId,
          enter() {
            settle();
            change(userId, 1);
            resolve();
          },
        };
        const giveUp = () => {
          settle();
          reject(refusal(userId));
        };
        const timer = setTimeout(giveUp, waitMs);
        raw.once('close', giveUp);
        waiting.push(place);
      });
    },

    /** Frees a slot for whoever has waited longest and may take it. */
    release(userId: string) {
      change(userId, -1);
      waiting.find((next) => isOpenTo(next.userId))?.enter();
    },
  };
}

function tooMany(limit: number) {
  const resetAt = new Date(Date.now() + retryAfterSeconds * 1_000).toISOString();
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new TooManyUploads({ details: { scope: 'upload', limit, resetAt }, headers });
}
