import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { and, asc, eq, getTableColumns, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { notFound } from './errors.ts';
import { type Kind, nodes as table } from './table.ts';

const {
  content,
  search: _search,
  bodySearch: _bodySearch,
  mentorAssignedAt: _mentorAssignedAt,
  ...columns
} = getTableColumns(table);

export { content };
/** All columns except the topic text, which is long and rarely needed. */
export const outline = columns;

// The key of the advisory lock on the structure of the tree, the same in every process.
const structureLock = 4_217_061_911;
/** The highest position that requests and imports may give. */
export const maxPosition = 1_000_000_000;

export type NewNode = Omit<typeof table.$inferInsert, 'search' | 'bodySearch' | 'parentKind' | 'mentorAssignedAt'>;
/** A row of the tree; `content` is present only if it was selected. */
export type Node = Omit<typeof table.$inferSelect, 'content' | 'search' | 'bodySearch' | 'mentorAssignedAt'> & {
  content?: string | null;
  /** The texts of the page were too long to include this one. */
  contentOmitted?: boolean;
};

/** What decides about the access to a subject. */
export type SubjectAccess = Pick<Node, 'id' | 'mentorId' | 'mentorEmail'>;

const hasId = (kind: Kind | Placeholder, id: string | Placeholder): SQL | undefined =>
  and(eq(table.id, id), eq(table.kind, kind));

const nodeWithDeleted = prepared('node_with_deleted', (db) =>
  db
    .select(outline)
    .from(table)
    .where(hasId(sql.placeholder('kind'), sql.placeholder('id'))),
);

const liveNode = prepared('live_node', (db) =>
  db
    .select({ ...outline, content })
    .from(table)
    .where(and(hasId(sql.placeholder('kind'), sql.placeholder('id')), table.isLive)),
);

const subjects = alias(table, 'subjects');
const subjectAccess = { id: subjects.id, mentorId: subjects.mentorId, mentorEmail: subjects.mentorEmail };
const isSubjectOfTopic = and(eq(subjects.id, table.parentId), isNull(subjects.deletedAt));

const liveTopic = prepared('live_topic', (db) =>
  db
    .select({ topic: { ...outline, content }, subject: subjectAccess })
    .from(table)
    .innerJoin(subjects, isSubjectOfTopic)
    .where(and(hasId('topic', sql.placeholder('id')), table.isLive)),
);

const topicAndSubject = prepared('topic_and_subject', (db) =>
  db
    .select({ topic: outline, subject: subjectAccess })
    .from(table)
    .innerJoin(subjects, isSubjectOfTopic)
    .where(and(hasId('topic', sql.placeholder('id')), isNull(table.deletedAt))),
);

const topics = alias(table, 'topics');
const liveTopicsOfSubject = prepared('live_topics_of_subject', (db) =>
  db
    .select({ topic: { id: topics.id, name: topics.name, position: topics.position } })
    .from(table)
    .leftJoin(topics, and(eq(topics.parentId, table.id), topics.isLive))
    .where(hasId('subject', sql.placeholder('subjectId')))
    .orderBy(asc(topics.position), asc(topics.name), asc(topics.id)),
);

/** Reads and writes of single nodes, and the locks on the structure of the tree. */
export const nodes = (db: Db) => ({
  /** For changes of one node: prevents deletes, restores and moves until the transaction ends. */
  lockStructureShared: () => db.execute(sql`select pg_advisory_xact_lock_shared(${structureLock})`),

  /** For changes of many nodes: prevents all other changes until the transaction ends, so they cannot deadlock. */
  lockStructure: () => db.execute(sql`select pg_advisory_xact_lock(${structureLock})`),

  /** A node in any state, including deleted. */
  async findWithDeleted(kind: Kind, id: string) {
    const [node] = await nodeWithDeleted(db).execute({ kind, id });
    return node;
  },

  /** A node in any state, including deleted; with its text. */
  async getWithDeleted(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(hasId(kind, id));
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A node that is not deleted. */
  async get(kind: Kind, id: string) {
    const [node] = await db
      .select(outline)
      .from(table)
      .where(and(hasId(kind, id), isNull(table.deletedAt)));
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A node that is not deleted, with its text; locked until the transaction ends. */
  async getForUpdate(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(and(hasId(kind, id), isNull(table.deletedAt)))
      .for('no key update');
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** Locks a node in any state until the transaction ends. */
  lock: (id: string) => db.select({ id: table.id }).from(table).where(eq(table.id, id)).for('no key update'),

  /** An active node with active ancestors, with its text. */
  async getLive(kind: Kind, id: string) {
    const [node] = await liveNode(db).execute({ kind, id });
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** An active topic with active ancestors, with its text, and its subject. */
  async getLiveTopic(id: string) {
    const [found] = await liveTopic(db).execute({ id });
    if (!found) throw new notFound.topic();
    return found;
  },

  /** A topic and its subject; both may be inactive, but not deleted. */
  async getTopicAndSubject(topicId: string) {
    const [found] = await topicAndSubject(db).execute({ id: topicId });
    if (!found) throw new notFound.topic();
    return found;
  },

  /** All live topics of a subject, in order. The subject may be in any state, including deleted. */
  async listLiveTopics(subjectId: string) {
    const rows = await liveTopicsOfSubject(db).execute({ subjectId });
    if (rows.length === 0) throw new notFound.subject();
    return rows.flatMap(({ topic }) => topic ?? []);
  },

  /** For new children under the shared structure lock: lets one transaction at a time use `nextPosition` of a parent. */
  lockPositions: (parentId: string | null) =>
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`last child of ${parentId ?? 'none'}`}, 0))`),

  /** The position after the last child of a parent. It requires the exclusive structure lock, or `lockPositions`. */
  async nextPosition(parentId: string | null) {
    const [row] = await db
      .select({ last: sql<number | null>`max(${table.position})` })
      .from(table)
      .where(and(isChildOf(parentId), isNull(table.deletedAt)));
    return row?.last == null ? 0 : Math.min(row.last + 1, maxPosition);
  },

  async insert(node: NewNode) {
    const [row] = await db.insert(table).values(node).returning(outline);
    if (!row) throw new Error('insert returned no row');
    return row;
  },

  async update(id: string, change: Partial<NewNode>) {
    const [row] = await db
      .update(table)
      .set({ ...change, version: nextVersion })
      .where(eq(table.id, id))
      .returning(outline);
    if (!row) throw new Error('update returned no row');
    return row;
  },
});

export const nextVersion = sql`${table.version} + 1`;

/** Levels have no parent; selecting them by kind lets an index provide the order. */
export const isChildOf = (parentId: string | Placeholder | null): SQL =>
  parentId === null ? eq(table.kind, 'level') : eq(table.parentId, parentId);
