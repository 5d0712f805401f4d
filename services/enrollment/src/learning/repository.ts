import type { Db } from '@lms/database/connect';
import { and, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
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

export const topicProgress = (db: Db) => ({
  async find(key: ProgressKey): Promise<TopicProgressRow | undefined> {
    const [row] = await db.select().from(table).where(matchesKey(key));
    return row;
  },

  list: (userId: string, topicIds: string[]): Promise<TopicProgressRow[]> =>
    db
      .select()
      .from(table)
      .where(and(eq(table.userId, userId), inArray(table.topicId, topicIds))),

  listByUser: (userId: string): Promise<TopicProgressRow[]> =>
    db.select().from(table).where(eq(table.userId, userId)).orderBy(table.createdAt, table.id),

  /** @returns undefined if the topic is already completed */
  async complete(key: ProgressKey): Promise<TopicProgressRow | undefined> {
    const completedAt = new Date();
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

  /** `furthestSeconds` never decreases, also when two players report concurrently. */
  async savePosition(
    key: ProgressKey,
    { positionSeconds, durationSeconds }: Position,
  ): Promise<TopicProgressRow | undefined> {
    const set = { positionSeconds, durationSeconds, updatedAt: new Date() };
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
