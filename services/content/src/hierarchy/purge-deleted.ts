import type { Db } from '@lms/database/connect';
import { appendNodeEvents } from './events.ts';
import { nodes } from './repository.ts';
import { kindNames } from './table.ts';
import { tree } from './tree-repository.ts';

const batchSize = 500;
const dayMs = 24 * 3_600 * 1_000;

/**
 * Removes for good what was deleted longer ago than the retention, a batch to a transaction, lowest kinds first.
 * Any number of processes may try at once: the structure's lock lets one at a time.
 * @returns how many went
 */
export async function purgeDeleted(db: Db, retentionDays: number, now = new Date()): Promise<number> {
  const deletedBefore = new Date(now.getTime() - retentionDays * dayMs);
  let total = 0;
  for (const kind of kindNames.toReversed()) {
    for (let purged = batchSize; purged === batchSize; total += purged)
      purged = await db.transaction(async (tx) => {
        await nodes(tx).lockStructure();
        const gone = await tree(tx).purge(kind, deletedBefore, batchSize);
        await appendNodeEvents(
          tx,
          'purged',
          gone.map((node) => ({ before: node, after: node })),
          {},
        );
        return gone.length;
      });
  }
  return total;
}
