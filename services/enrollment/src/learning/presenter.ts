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
export const toSubjectProgress = (subjectId: string, topicIds: string[], rows: Row[]) =>
  summarize(subjectId, topicIds, byTopicId(rows));

/** @param topics the live topics of all subjects, in order */
export function toSubjectsProgress<Subject extends { id: string }>(
  subjects: Subject[],
  topics: { id: string; subjectId: string }[],
  rows: Row[],
) {
  const topicIds = new Map(subjects.map(({ id }): [string, string[]] => [id, []]));
  for (const { id, subjectId } of topics) topicIds.get(subjectId)?.push(id);
  const byTopic = byTopicId(rows);
  return subjects.map((subject) => ({
    ...summarize(subject.id, topicIds.get(subject.id) ?? [], byTopic),
    subject,
  }));
}

const byTopicId = (rows: Row[]) => new Map(rows.map((row) => [row.topicId, row]));

function summarize(subjectId: string, topicIds: string[], byTopic: Map<string, Row>) {
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
