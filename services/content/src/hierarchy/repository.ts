import type { Db } from '@lms/database/connect';
import { containing, type DateRange, ordering, type SortRequest, window, within } from '@lms/database/paging';
import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { notFound } from './errors.ts';
import { type Kind, kindNames, nodes as table } from './table.ts';

const { content, ...outline } = getTableColumns(table);

// Every process takes the same number for the shape of the tree.
const structureLock = 4_217_061_911;

/** The columns that lists sort by. */
export const sortable = ['position', 'name', 'createdAt', 'updatedAt'] as const;
const sorts = {
  position: table.position,
  name: table.name,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
};
export interface NodeFilters extends DateRange {
  search?: string;
  level?: Node['level'];
}
/** What administrators narrow a flat list by: ancestors, near or far, and the state. */
export interface ManagedFilters extends NodeFilters {
  educationLevelId?: string;
  gradeId?: string;
  subjectId?: string;
  isActive?: boolean;
  includeDeleted?: boolean;
}
export type ManagedQuery = SortRequest<(typeof sortable)[number]> & ManagedFilters;
export type NodeQuery = SortRequest<(typeof sortable)[number]> & NodeFilters;

export type NewNode = typeof table.$inferInsert;

/** SQL over levels, grades, subjects and topics. Texts of topics are read only where asked for: they are long. */
export const nodes = (db: Db) => ({
  /** Holds the tree's shape still until the transaction ends: deletes, restores and moves wait. */
  holdStructure: () => db.execute(sql`select pg_advisory_xact_lock_shared(${structureLock})`),

  /** Until the transaction ends nobody else changes the tree; so changes of many rows cannot deadlock. */
  changeStructure: () => db.execute(sql`select pg_advisory_xact_lock(${structureLock})`),

  /** A node that is not deleted, with its text. */
  async find(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind), isNull(table.deletedAt)));
    return node;
  },

  /** A node that is not deleted, without its text. */
  async get(kind: Kind, id: string) {
    const [node] = await db
      .select(outline)
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind), isNull(table.deletedAt)));
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** The same, held until the transaction ends. */
  async getForUpdate(kind: Kind, id: string) {
    const [node] = await db
      .select(outline)
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind), isNull(table.deletedAt)))
      .for('update');
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A node in whatever state, without its text. */
  async findAny(kind: Kind, id: string) {
    const [node] = await db
      .select(outline)
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind)));
    return node;
  },

  /** A node in whatever state, with its text. */
  async getAny(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind)));
    if (!node) throw new notFound[kind]();
    return node;
  },

  async getLive(kind: Kind, id: string) {
    const [node] = await db
      .select({ ...outline, content })
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind), table.isLive));
    if (!node) throw new notFound[kind]();
    return node;
  },

  /** A topic that is not deleted, with the subject above it; neither need be active. */
  async getTopicAndSubject(topicId: string) {
    const rows = await db
      .select(outline)
      .from(table)
      .where(
        sql`${table.id} in (${topicId}, (select parent_id from ${table} where id = ${topicId})) and ${isNull(table.deletedAt)}`,
      );
    const topic = rows.find((row) => row.kind === 'topic');
    const subject = rows.find((row) => row.id === topic?.parentId);
    if (!topic || !subject) throw new notFound.topic();
    return { topic, subject };
  },

  countLive: (kind: Kind, parentId: string | null, filters: NodeFilters) =>
    db.$count(table, live(kind, parentId, filters)),

  /** A live parent, and how many of its live children pass the filters. */
  async getLiveParent(kind: Kind, id: string, childKind: Kind, filters: NodeFilters) {
    const [row] = await db
      .select({ parent: outline, total: db.$count(table, live(childKind, id, filters)) })
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind), table.isLive));
    if (!row) throw new notFound[kind]();
    return row;
  },

  listLive(kind: Kind, parentId: string | null, query: NodeQuery, withContent: boolean) {
    const ties = query.sort === 'position' ? [table.name] : [];
    return db
      .select({ ...outline, ...(withContent && { content }) })
      .from(table)
      .where(live(kind, parentId, query))
      .orderBy(...ordering(query, sorts, table.id, ...ties))
      .limit(window(query).limit)
      .offset(window(query).offset);
  },

  countManaged: (kind: Kind, filters: ManagedFilters) => db.$count(table, managed(kind, filters)),

  listManaged(kind: Kind, query: ManagedQuery) {
    const ties = query.sort === 'position' ? [table.name] : [];
    return db
      .select({ ...outline, content })
      .from(table)
      .where(managed(kind, query))
      .orderBy(...ordering(query, sorts, table.id, ...ties))
      .limit(window(query).limit)
      .offset(window(query).offset);
  },

  /** All live topics of a subject in their order. */
  liveTopics: (subjectId: string) =>
    db
      .select({ id: table.id, name: table.name, position: table.position })
      .from(table)
      .where(live('topic', subjectId, {}))
      .orderBy(asc(table.position), asc(table.name), asc(table.id)),

  /** The next free place among a parent's children. */
  async nextPosition(kind: Kind, parentId: string | null) {
    const [row] = await db
      .select({ last: sql<number | null>`max(${table.position})` })
      .from(table)
      .where(and(siblings(kind, parentId), isNull(table.deletedAt)));
    return row?.last == null ? 0 : Math.min(row.last + 1, 2_147_483_647);
  },

  async insert(node: NewNode) {
    const [row] = await db.insert(table).values(node).returning(outline);
    if (!row) throw new Error('an insert answered no row');
    return row;
  },

  async update(id: string, change: Partial<NewNode>) {
    const [row] = await db
      .update(table)
      .set({ ...change, version: sql`${table.version} + 1` })
      .where(eq(table.id, id))
      .returning(outline);
    if (!row) throw new Error('an update answered no row');
    return row;
  },
});

type FoundNode = Awaited<ReturnType<ReturnType<typeof nodes>['findAny']>>;
/** A row of the tree; `content` only where it was asked for. */
export type Node = NonNullable<FoundNode> & { content?: string | null };

const siblings = (kind: Kind, parentId: string | null): SQL | undefined =>
  parentId === null ? and(eq(table.kind, kind), isNull(table.parentId)) : eq(table.parentId, parentId);

const matching = ({ search, level, ...range }: NodeFilters): (SQL | undefined)[] => [
  containing(search, table.name, table.description),
  level ? eq(table.level, level) : undefined,
  ...within(range, table),
];

const live = (kind: Kind, parentId: string | null, filters: NodeFilters): SQL | undefined =>
  and(siblings(kind, parentId), table.isLive, ...matching(filters));

const childrenOf = (parents: SQL): SQL => sql`(select id from ${table} where parent_id in ${parents})`;

/** Below the named ancestors, which may be unknown: then there is nothing. */
function below({ educationLevelId, gradeId, subjectId }: ManagedFilters, kind: Kind): (SQL | undefined)[] {
  const generations = (ancestor: string | undefined, distance: number): SQL | undefined => {
    if (ancestor === undefined) return undefined;
    let parents = sql`(${ancestor})`;
    for (let step = 1; step < distance; step += 1) parents = childrenOf(parents);
    return sql`${table.parentId} in ${parents}`;
  };
  const depth = kindNames.indexOf(kind);
  return [generations(educationLevelId, depth), generations(gradeId, depth - 1), generations(subjectId, depth - 2)];
}

const managed = (kind: Kind, filters: ManagedFilters): SQL | undefined =>
  and(
    eq(table.kind, kind),
    filters.includeDeleted ? undefined : isNull(table.deletedAt),
    filters.isActive === undefined ? undefined : eq(table.isActive, filters.isActive),
    ...below(filters, kind),
    ...matching(filters),
  );
