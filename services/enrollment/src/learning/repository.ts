import type { Db } from '@lms/database/connect';
import { and, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { liveTopics } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import { topicProgressTable as table } from './table.ts';

export type TopicProgressRow = typeof table.$inferSelect;

/** Whose progress in which topic. */
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
  async find(place: ProgressKey): Promise<TopicProgressRow | undefined> {
    const [row] = await db.select().from(table).where(matchesKey(place));
    return row;
  },

  list: (userId: string, topicIds: string[]): Promise<TopicProgressRow[]> =>
    db
      .select()
      .from(table)
      .where(and(eq(table.userId, userId), inArray(table.topicId, topicIds))),

  listByUser: (userId: string): Promise<TopicProgressRow[]> =>
    db.select().from(table).where(eq(table.userId, userId)).orderBy(table.createdAt, table.id),

  /** Marks a topic completed; undefined when it was already. */
  async complete(place: ProgressKey): Promise<TopicProgressRow | undefined> {
    const completedAt = new Date();
    const [row] = await db
      .insert(table)
      .values({ ...place, completedAt })
      .onConflictDoUpdate({ target, set: { completedAt, updatedAt: completedAt }, setWhere: isNull(table.completedAt) })
      .returning();
    return row;
  },

  async reopen(place: ProgressKey) {
    await db
      .update(table)
      .set({ completedAt: null })
      .where(and(matchesKey(place), isNotNull(table.completedAt)));
  },

  /** Keeps where somebody is; the furthest place never goes back, whichever of two players reports last. */
  async savePosition(
    place: ProgressKey,
    { positionSeconds, durationSeconds }: Position,
  ): Promise<TopicProgressRow | undefined> {
    const set = { positionSeconds, durationSeconds, updatedAt: new Date() };
    const [row] = await db
      .insert(table)
      .values({ ...place, positionSeconds, durationSeconds, furthestSeconds: positionSeconds })
      .onConflictDoUpdate({
        target,
        set: { ...set, furthestSeconds: sql`greatest(${table.furthestSeconds}, ${positionSeconds}::double precision)` },
      })
      .returning();
    return row;
  },

  /** How many live topics a subject has and how many of them each of some users has completed, in one statement. */
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
