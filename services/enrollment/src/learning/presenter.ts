import type { TopicProgressRow } from './repository.ts';

type Row = Pick<
  TopicProgressRow,
  'topicId' | 'completedAt' | 'positionSeconds' | 'furthestSeconds' | 'durationSeconds'
>;

/** Without a row, the user has not started the topic. */
export const toTopicProgress = (topicId: string, row: Row | undefined) => ({
  topicId,
  completed: row?.completedAt != null,
  completedAt: row?.completedAt?.toISOString() ?? null,
  positionSeconds: row?.positionSeconds ?? 0,
  furthestSeconds: row?.furthestSeconds ?? 0,
  durationSeconds: row?.durationSeconds ?? null,
});

/** An integer, rounded down; 0 if `total` is 0. */
export const percentOf = (completed: number, total: number) =>
  total === 0 ? 0 : Math.floor((completed * 100) / total);

/** @param topicIds the live topics in order; rows of other topics are ignored */
export function toSubjectProgress(subjectId: string, topicIds: string[], rows: Row[]) {
  const byTopic = new Map(rows.map((row) => [row.topicId, row]));
  const topics = topicIds.map((topicId) => toTopicProgress(topicId, byTopic.get(topicId)));
  const completed = topics.filter((topic) => topic.completed).length;
  return {
    subjectId,
    total: topics.length,
    completed,
    percent: percentOf(completed, topics.length),
    nextTopicId: topics.find((topic) => !topic.completed)?.topicId ?? null,
    topics,
  };
}
