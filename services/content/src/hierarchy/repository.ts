import type { Db } from '@lms/database/connect';
import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { notFound } from './errors.ts';
import { type Kind, nodes as table } from './table.ts';

const { content, search: _search, bodySearch: _bodySearch, ...columns } = getTableColumns(table);
/** All of a row but its text, which is long and read only where it is asked for. */
export const outline = columns;

// Every process takes the same number for the shape of the tree.
const structureLock = 4_217_061_911;
const lastPosition = 2_147_483_647;

export type NewNode = Omit<typeof table.$inferInsert, 'search' | 'bodySearch' | 'parentKind'>;
/** A row of the tree; `content` only where it was asked for. */
export type Node = Omit<typeof table.$inferSelect, 'content' | 'search' | 'bodySearch'> & { content?: string | null };

const is = (kind: Kind, id: string): SQL | undefined => and(eq(table.id, id), eq(table.kind, kind));

/** SQL over single levels, grades, subjects and topics, and the locks that keep the tree in order. */
export const nodes = (db: Db) => ({
  /** Holds the tree's shape still until the transaction ends: deletes, restores and moves wait. */
  lockStructureShared: () => db.execute(sql`select pg_advisory_xact_lock_shared(${structureLock})`),

  /** Until the transaction ends nobody else changes the tree; so changes of many rows cannot deadlock. */
  lockStructure: () => db.execute(sql`select pg_advisory_xact_lock(${structureLock})`),

  /** A node in whatever state. */
  async findWithDeleted(kind: Kind, id: string) {
    const [node] = await db.select(outline).from(table).where(is(kind, id));
    return node;
  },

  /** A node in whatever state, with its text. */
  async getWithDeleted(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(is(kind, id));
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A node that is not deleted. */
  async get(kind: Kind, id: string) {
    const [node] = await db
      .select(outline)
      .from(table)
      .where(and(is(kind, id), isNull(table.deletedAt)));
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A node that is not deleted, held until the transaction ends; with its text where it has one. */
  async getForUpdate(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(and(is(kind, id), isNull(table.deletedAt)))
      .for('no key update');
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A node that everybody may see, with its text. */
  async getLive(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(and(is(kind, id), table.isLive));
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A topic that is not deleted, with the subject above it; neither need be active. */
  async getTopicAndSubject(topicId: string) {
    const subjectId = db.select({ id: table.parentId }).from(table).where(is('topic', topicId));
    const rows = await db
      .select(outline)
      .from(table)
      .where(and(sql`${table.id} in (${topicId}, ${subjectId})`, isNull(table.deletedAt)));
    const topic = rows.find((row) => row.kind === 'topic');
    const subject = rows.find((row) => row.id === topic?.parentId);
    if (!topic || !subject) throw new notFound.topic();
    return { topic, subject };
  },

  /** All live topics of a subject in their order. */
  listLiveTopics: (subjectId: string) =>
    db
      .select({ id: table.id, name: table.name, position: table.position })
      .from(table)
      .where(and(eq(table.parentId, subjectId), table.isLive))
      .orderBy(asc(table.position), asc(table.name), asc(table.id)),

  /** The next free place among a parent's children; whoever asks meanwhile waits for the end of the transaction. */
  async nextPosition(parentId: string | null) {
    await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`last child of ${parentId ?? 'none'}`}, 0))`);
    const [row] = await db
      .select({ last: sql<number | null>`max(${table.position})` })
      .from(table)
      .where(and(isChildOf(parentId), isNull(table.deletedAt)));
    return row?.last == null ? 0 : Math.min(row.last + 1, lastPosition);
  },

  async insert(node: NewNode) {
    const [row] = await db.insert(table).values(node).returning(outline);
    if (!row) throw new Error('an insert answered no row');
    return row;
  },

  async update(id: string, change: Partial<NewNode>) {
    const [row] = await db
      .update(table)
      .set({ ...change, version: nextVersion })
      .where(eq(table.id, id))
      .returning(outline);
    if (!row) throw new Error('an update answered no row');
    return row;
  },
});

export const nextVersion = sql`${table.version} + 1`;

/** Levels have no parent; by their kind they are read in the order of an index. */
export const isChildOf = (parentId: string | null): SQL =>
  parentId === null ? eq(table.kind, 'level') : eq(table.parentId, parentId);
