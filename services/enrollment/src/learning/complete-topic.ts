import { topicCompleted } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { type ProgressKey, topicProgress } from './repository.ts';

/** Marks a topic completed and tells it; once more changes nothing and tells nothing. */
export async function completeTopic(db: Db, { userId, topicId }: ProgressKey, subjectId: string, cause: Cause) {
  return db.transaction(async (tx) => {
    const row = await topicProgress(tx).complete({ userId, topicId });
    if (!row?.completedAt) return topicProgress(tx).find({ userId, topicId });
    const completedAt = row.completedAt.toISOString();
    const data = { id: row.id, userId, topicId, subjectId, completedAt };
    await appendEvent(tx, topicCompleted, { aggregateId: row.id, data, cause });
    return row;
  });
}
