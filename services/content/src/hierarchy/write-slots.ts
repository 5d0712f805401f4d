import { unavailable } from '@lms/service/problems';

/**
 * Does the work when a slot is free.
 * @param client whose connection may be gone by then
 * @throws 503 if no slot becomes free in time, or the client has left
 */
export type InWriteSlot = <T>(work: () => Promise<T>, client?: { destroyed: boolean }) => Promise<T>;

// With the relay and the jobs, they leave connections of the pool for reads and for the progress of imports.
const slots = 3;
// The gateway responds with 504 after ten seconds.
const waitMs = 9_000;
const retryAfterSeconds = 5;

/**
 * Limits the transactions of this process that hold the structure lock or wait for it; the others wait here, before they
 * begin. While an import writes, they would take all connections of the pool from reads, and from the import itself.
 */
export function createWriteSlots(total = slots, maxWaitMs = waitMs): InWriteSlot {
  const waiting = new Set<() => void>();
  let free = total;

  async function acquire() {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grant = () => {
        waiting.delete(grant);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(grant);
        reject(unavailable(new Error('No write slot became free in time'), retryAfterSeconds));
      }, maxWaitMs);
      waiting.add(grant);
    });
  }

  function release() {
    const [grantNext] = waiting;
    if (grantNext) grantNext();
    else free += 1;
  }

  return async (work, client) => {
    await acquire();
    try {
      if (client?.destroyed) throw unavailable(new Error('The client has left'));
      return await work();
    } finally {
      release();
    }
  };
}
