import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { and, count, eq, getTableColumns, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { enrollmentTable, isActive } from '../enrollments/table.ts';
import { liveTopics } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import { topicProgressTable as table } from './table.ts';

export type TopicProgressRow = typeof table.$inferSelect;

export interface ProgressKey {
  userId: string;
  topicId: string;
}

export interface Position {
  positionSeconds: number;
  durationSeconds: number;
}

const matchesKey = ({ userId, topicId }: ProgressKey) => and(eq(table.userId, userId), eq(table.topicId, topicId));
const target = [table.userId, table.topicId];
const { placeholder } = sql;

const ofTopic = prepared('progress_of_topic', (db) =>
  db
    .select()
    .from(table)
    .where(and(eq(table.userId, placeholder('userId')), eq(table.topicId, placeholder('topicId')))),
);

const ofTopics = prepared('progress_of_topics', (db) =>
  db
    .select()
    .from(table)
    .where(and(eq(table.userId, placeholder('userId')), sql`${table.topicId} = any(${placeholder('topicIds')})`)),
);

/** The live topic `topicId`, if the user `userId` has an active enrollment in its subject. */
const enrolledTopic = (db: Db) =>
  db
    .select({ id: liveTopics.id, subjectId: liveTopics.subjectId })
    .from(liveTopics)
    .innerJoin(
      enrollmentTable,
      and(
        eq(enrollmentTable.subjectId, liveTopics.subjectId),
        eq(enrollmentTable.userId, placeholder('userId')),
        isActive,
      ),
    )
    .where(eq(liveTopics.id, placeholder('topicId')));

const enrolledTopicOf = prepared('enrolled_topic', enrolledTopic);

const nextPosition = {
  positionSeconds: sql`${placeholder('positionSeconds')}::double precision`,
  furthestSeconds: sql`greatest(${table.furthestSeconds}, ${placeholder('positionSeconds')}::double precision)`,
  durationSeconds: sql`${placeholder('durationSeconds')}::double precision`,
  updatedAt: sql`now()`,
};

const positionOfEnrolled = prepared('position_of_enrolled', (db) => {
  const topic = db.$with('topic').as(enrolledTopic(db));
  return db
    .with(topic)
    .update(table)
    .set(nextPosition)
    .from(topic)
    .where(and(eq(table.userId, placeholder('userId')), eq(table.topicId, topic.id)))
    .returning({ ...getTableColumns(table), subjectId: topic.subjectId });
});

export const topicProgress = (db: Db) => ({
  /** @returns undefined if the local copy does not contain the live topic, or the user is not enrolled in its subject */
  async findEnrolledTopic(key: ProgressKey) {
    const [topic] = await enrolledTopicOf(db).execute({ ...key });
    return topic;
  },

  async find(key: ProgressKey): Promise<TopicProgressRow | undefined> {
    const [row] = await ofTopic(db).execute({ ...key });
    return row;
  },

  list: (userId: string, topicIds: string[]): Promise<TopicProgressRow[]> => ofTopics(db).execute({ userId, topicIds }),

  listByUser: (userId: string): Promise<TopicProgressRow[]> =>
    db.select().from(table).where(eq(table.userId, userId)).orderBy(table.createdAt, table.id),

  /** @returns undefined if the topic is already completed */
  async complete(key: ProgressKey): Promise<TopicProgressRow | undefined> {
    const completedAt = sql`now()`;
    const [row] = await db
      .insert(table)
      .values({ ...key, completedAt })
      .onConflictDoUpdate({ target, set: { completedAt, updatedAt: completedAt }, setWhere: isNull(table.completedAt) })
      .returning();
    return row;
  },

  async reopen(key: ProgressKey) {
    await db
      .update(table)
      .set({ completedAt: null })
      .where(and(matchesKey(key), isNotNull(table.completedAt)));
  },

  /**
   * Checks the topic and the enrollment in the statement that saves the next position: players report every few seconds.
   * @returns undefined if there is no position yet, the local copy does not contain the live topic, or the user is not enrolled
   */
  async updatePosition(key: ProgressKey, position: Position) {
    const [row] = await positionOfEnrolled(db).execute({ ...key, ...position });
    return row;
  },

  /** `furthestSeconds` never decreases, also when two players report concurrently. */
  async savePosition(
    key: ProgressKey,
    { positionSeconds, durationSeconds }: Position,
  ): Promise<TopicProgressRow | undefined> {
    const set = { positionSeconds, durationSeconds, updatedAt: sql`now()` };
    const [row] = await db
      .insert(table)
      .values({ ...key, positionSeconds, durationSeconds, furthestSeconds: positionSeconds })
      .onConflictDoUpdate({
        target,
        set: { ...set, furthestSeconds: sql`greatest(${table.furthestSeconds}, ${positionSeconds}::double precision)` },
      })
      .returning();
    return row;
  },

  /** The number of live topics in a subject, and how many of them each user has completed; one statement. */
  async countCompleted(subjectId: string, userIds: string[]) {
    const live = db
      .$with('live')
      .as(db.select({ id: liveTopics.id }).from(liveTopics).where(eq(liveTopics.subjectId, subjectId)));
    const total = db.select({ total: count() }).from(live);
    const completed = db
      .select({ completed: count() })
      .from(table)
      .innerJoin(live, eq(live.id, table.topicId))
      .where(and(eq(table.userId, userTable.id), isNotNull(table.completedAt)));
    return db
      .with(live)
      .select({
        userId: userTable.id,
        total: sql<number>`(${total})`.mapWith(Number),
        completed: sql<number>`(${completed})`.mapWith(Number),
      })
      .from(userTable)
      .where(inArray(userTable.id, userIds));
  },
});
