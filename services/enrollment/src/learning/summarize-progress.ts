import type { Db } from '@lms/database/connect';
import { percentOf } from './presenter.ts';
import { topicProgress } from './repository.ts';

/** @returns a function that returns the progress of one of the given users, counting live topics only */
export async function summarizeProgress(db: Db, subjectId: string, userIds: string[]) {
  const counts = userIds.length === 0 ? [] : await topicProgress(db).countCompleted(subjectId, userIds);
  const byUser = new Map(counts.map(({ userId, total, completed }) => [userId, { total, completed }]));
  return (userId: string) => {
    const { total, completed } = byUser.get(userId) ?? { total: 0, completed: 0 };
    return { total, completed, percent: percentOf(completed, total) };
  };
}
