import type { Db } from '@lms/database/connect';
import { appendNodeEvents } from './events.ts';
import { nodes } from './repository.ts';
import { tree } from './tree-repository.ts';

const batchSize = 500;
const dayMs = 24 * 3_600 * 1_000;

/**
 * Permanently removes nodes that were deleted before the retention period, in several transactions. What was deleted
 * together is removed in one of them, so that a restore brings back all of it or nothing. Several processes may run it at
 * the same time; the structure lock serializes them.
 * @returns the number of removed nodes
 */
export async function purgeDeleted(db: Db, retentionDays: number, now = new Date()): Promise<number> {
  const deletedBefore = new Date(now.getTime() - retentionDays * dayMs);
  let total = 0;
  for (let purged = batchSize; purged >= batchSize; total += purged)
    purged = await db.transaction(async (tx) => {
      await nodes(tx).lockStructure();
      const removed = await tree(tx).purge(deletedBefore, batchSize);
      const changes = removed.map((node) => ({ before: node, after: node }));
      await appendNodeEvents(tx, 'purged', changes, {});
      return removed.length;
    });
  return total;
}
