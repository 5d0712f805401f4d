import { randomUUID } from 'node:crypto';
import { limitConcurrency } from '@lms/service/limit-concurrency';
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

/**
 * Limits the transactions of this process that hold the structure lock or wait for it; the others wait here, before they
 * begin. While an import writes, they would take all connections of the pool from reads, and from the import itself.
 */
export function createWriteSlots(max = slots, maxWaitMs = waitMs): InWriteSlot {
  const begin = limitConcurrency({ max, maxWaitMs });
  return async (work, client) => {
    const end = await begin(randomUUID());
    try {
      if (client?.destroyed) throw unavailable(new Error('The client has left'));
      return await work();
    } finally {
      end();
    }
  };
}
