import { topicCompleted } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { type ProgressKey, topicProgress } from './repository.ts';

/** Idempotent: a completed topic keeps its `completedAt`, and no further event is appended. */
export async function completeTopic(db: Db, key: ProgressKey, subjectId: string, cause: Cause) {
  return db.transaction(async (tx) => {
    const row = await topicProgress(tx).complete(key);
    if (!row?.completedAt) return topicProgress(tx).find(key);
    const data = { id: row.id, ...key, subjectId, completedAt: row.completedAt.toISOString() };
    await appendEvent(tx, topicCompleted, { aggregateId: row.id, data, cause });
    return row;
  });
}
