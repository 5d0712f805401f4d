import { AccountInactive } from '@lms/auth/require-role';
import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  orderByColumns,
  readPage,
  type SortRequest,
} from '@lms/database/paging';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import { NoteNotFound } from './errors.ts';
import { noteTable as table } from './table.ts';

export type NoteRow = typeof table.$inferSelect;

/** A note with the subject of its topic. */
export type NoteWithSubject = NoteRow & { subjectId: string };

export type SortField = 'createdAt' | 'updatedAt';

export interface NoteFilter extends DateRange {
  userId: string;
  topicId?: string;
  subjectId?: string;
  /** Matches the content. */
  search?: string;
}

/** A note of another user is not found. */
export interface NoteKey {
  id: string;
  userId: string;
}

const selection = { ...getTableColumns(table), subjectId: sql<string>`${outlineTable.parentId}` };
const batchSize = 100;
const sortable = { createdAt: table.createdAt, updatedAt: table.updatedAt };
const matchesKey = ({ id, userId }: NoteKey) => and(eq(table.id, id), eq(table.userId, userId));

const matchesFilter = ({ userId, topicId, subjectId, search, ...range }: NoteFilter) =>
  and(
    eq(table.userId, userId),
    topicId === undefined ? undefined : eq(table.topicId, topicId),
    subjectId === undefined ? undefined : eq(outlineTable.parentId, subjectId),
    containsText(search, table.content),
    ...inDateRange(range, table),
  );

export const notes = (db: Db) => ({
  async list(filter: NoteFilter, page: SortRequest<SortField>) {
    const where = matchesFilter(filter);
    const ofTopic = eq(outlineTable.id, table.topicId);
    const matching = db.select({ id: table.id }).from(table).innerJoin(outlineTable, ofTopic).where(where);
    const ordered = db
      .select(selection)
      .from(table)
      .innerJoin(outlineTable, ofTopic)
      .where(where)
      .orderBy(...orderByColumns(page, sortable, table.id));
    return readPage(page, ordered, db.$count(matching.as('matching')));
  },

  /** Whether the user has notes on the topic. */
  async isAuthor(userId: string, topicId: string): Promise<boolean> {
    const where = matchesFilter({ userId, topicId });
    return (await db.select({ id: table.id }).from(table).where(where).limit(1)).length > 0;
  },

  /** All notes of a user, oldest first, in batches: they may take more memory than there is. */
  async *readByUser(userId: string): AsyncGenerator<NoteRow[], void, undefined> {
    let last: NoteRow | undefined;
    do {
      const isNext =
        last && sql`(${table.createdAt}, ${table.id}) > (${last.createdAt.toISOString()}::timestamptz, ${last.id})`;
      const rows = await db
        .select()
        .from(table)
        .where(and(eq(table.userId, userId), isNext))
        .orderBy(table.createdAt, table.id)
        .limit(batchSize);
      yield rows;
      last = rows.length === batchSize ? rows.at(-1) : undefined;
    } while (last);
  },

  async get(key: NoteKey) {
    const [note] = await db
      .select(selection)
      .from(table)
      .innerJoin(outlineTable, eq(outlineTable.id, table.topicId))
      .where(matchesKey(key));
    if (!note) throw new NoteNotFound();
    return note;
  },

  /**
   * Call it in a transaction: it locks the user, whose erasure deletes the notes that it finds.
   * @throws AccountInactive if the user has been deleted
   */
  async insert(note: typeof table.$inferInsert): Promise<string> {
    const { id, isDeleted } = userTable;
    const [user] = await db.select({ isDeleted }).from(userTable).where(eq(id, note.userId)).for('share');
    if (user?.isDeleted) throw new AccountInactive();
    const [inserted] = await db.insert(table).values(note).returning({ id: table.id });
    if (!inserted) throw new NoteNotFound();
    return inserted.id;
  },

  async update(key: NoteKey, changes: Partial<Pick<NoteRow, 'content' | 'positionSeconds'>>) {
    const updated = await db.update(table).set(changes).where(matchesKey(key)).returning({ id: table.id });
    if (updated.length === 0) throw new NoteNotFound();
  },

  async delete(key: NoteKey) {
    const deleted = await db.delete(table).where(matchesKey(key)).returning({ id: table.id });
    if (deleted.length === 0) throw new NoteNotFound();
  },

  async deleteByUser(userId: string) {
    await db.delete(table).where(eq(table.userId, userId));
  },
});
