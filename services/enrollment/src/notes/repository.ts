import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  limitAndOffset,
  orderByColumns,
  type SortRequest,
} from '@lms/database/paging';
import { and, count, eq, getTableColumns, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { NoteNotFound } from './errors.ts';
import { noteTable as table } from './table.ts';

export type NoteRow = typeof table.$inferSelect;
export type SortField = 'createdAt' | 'updatedAt';

export interface Filter extends DateRange {
  userId: string;
  topicId?: string;
  subjectId?: string;
  /** Looked for in the content. */
  search?: string;
}

/** A note, and whose it has to be: another's counts as unknown. */
export interface Which {
  id: string;
  userId: string;
}

const shown = { ...getTableColumns(table), subjectId: sql<string>`${outlineTable.parentId}` };
const sortable = { createdAt: table.createdAt, updatedAt: table.updatedAt };
const own = ({ id, userId }: Which) => and(eq(table.id, id), eq(table.userId, userId));

const matching = ({ userId, topicId, subjectId, search, ...range }: Filter) =>
  and(
    eq(table.userId, userId),
    topicId === undefined ? undefined : eq(table.topicId, topicId),
    subjectId === undefined ? undefined : eq(outlineTable.parentId, subjectId),
    containsText(search, table.content),
    ...inDateRange(range, table),
  );

export const notes = (db: Db) => ({
  async list(filter: Filter, page: SortRequest<SortField>) {
    const where = matching(filter);
    const ofTopic = eq(outlineTable.id, table.topicId);
    const [items, [counted]] = await Promise.all([
      db
        .select(shown)
        .from(table)
        .innerJoin(outlineTable, ofTopic)
        .where(where)
        .orderBy(...orderByColumns(page, sortable, table.id))
        .limit(limitAndOffset(page).limit)
        .offset(limitAndOffset(page).offset),
      db.select({ total: count() }).from(table).innerJoin(outlineTable, ofTopic).where(where),
    ]);
    return { items, total: counted?.total ?? 0 };
  },

  listAll: (userId: string): Promise<NoteRow[]> =>
    db.select().from(table).where(eq(table.userId, userId)).orderBy(table.createdAt, table.id),

  async get(which: Which) {
    const [note] = await db
      .select(shown)
      .from(table)
      .innerJoin(outlineTable, eq(outlineTable.id, table.topicId))
      .where(own(which));
    if (!note) throw new NoteNotFound();
    return note;
  },

  async insert(note: typeof table.$inferInsert): Promise<string> {
    const [inserted] = await db.insert(table).values(note).returning({ id: table.id });
    if (!inserted) throw new NoteNotFound();
    return inserted.id;
  },

  async update(which: Which, changes: Partial<Pick<NoteRow, 'content' | 'positionSeconds'>>) {
    const updated = await db.update(table).set(changes).where(own(which)).returning({ id: table.id });
    if (updated.length === 0) throw new NoteNotFound();
  },

  async remove(which: Which) {
    const removed = await db.delete(table).where(own(which)).returning({ id: table.id });
    if (removed.length === 0) throw new NoteNotFound();
  },

  async removeAll(userId: string) {
    await db.delete(table).where(eq(table.userId, userId));
  },
});
