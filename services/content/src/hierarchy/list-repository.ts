import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  limitAndOffset,
  orderByColumns,
  type SortRequest,
} from '@lms/database/paging';
import { prepared } from '@lms/database/prepared';
import { and, eq, inArray, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { notFound } from './errors.ts';
import { isChildOf, type Node, outline, type SubjectAccess } from './repository.ts';
import { type Kind, kindNames, nodeCounts, nodes as table } from './table.ts';

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
  level?: 'primary' | 'secondary' | 'higher';
}
/** The filters of the administrators' flat lists: ancestors at any distance, and the state. */
export interface ManagedFilters extends NodeFilters {
  educationLevelId?: string;
  gradeId?: string;
  subjectId?: string;
  externalId?: string;
  isActive?: boolean;
  includeDeleted?: boolean;
}
type Sorting = SortRequest<(typeof sortable)[number]>;
export type NodeQuery = Sorting & NodeFilters;
export type ManagedQuery = Sorting & ManagedFilters;

/** The caller's values of a subject's `mentorId` and `mentorEmail`. */
export interface MentorIdentity {
  identityProviderId: string;
  /** Null unless verified. */
  email: string | null;
}

/** What the topic texts of one page may add up to. */
const maxPageContentBytes = 1024 * 1024;

const orderOf = (query: Pick<Sorting, 'sort' | 'order'>): SQL[] =>
  orderByColumns(query, sorts, table.id, ...(query.sort === 'position' ? [table.name] : []));

interface ChildrenQuery {
  kind: Kind | Placeholder;
  parentId: string | Placeholder;
  filters: NodeFilters;
  order: SQL[];
  limit: number | Placeholder;
  offset: number | Placeholder;
}

/** A live parent, the number of its live children that match the filters, and the ids and versions of a page of them. */
export interface LiveParent {
  parent: SubjectAccess;
  total: number;
  versions: string;
}

function selectLiveParent(db: Db, { kind, parentId, filters, order, limit, offset }: ChildrenQuery) {
  const where = isLiveChild(parentId, filters);
  const versions = db
    .select({ text: sql`${table.id} || '.' || ${table.version}` })
    .from(table)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return db
    .select({
      parent: { id: table.id, mentorId: table.mentorId, mentorEmail: table.mentorEmail },
      total: db.$count(table, where),
      versions: sql<string>`array_to_string(array(${versions}), ',')`,
    })
    .from(table)
    .where(and(eq(table.id, parentId), eq(table.kind, kind), table.isLive));
}

const liveParent = prepared('live_parent', (db) =>
  selectLiveParent(db, {
    kind: sql.placeholder('kind'),
    parentId: sql.placeholder('parentId'),
    filters: {},
    order: orderOf({ sort: 'position', order: 'asc' }),
    limit: sql.placeholder('limit'),
    offset: sql.placeholder('offset'),
  }),
);

/** The paginated lists: one statement for the total, one for the page. */
export const lists = (db: Db) => {
  function page(where: SQL | undefined, query: Sorting) {
    const { limit, offset } = limitAndOffset(query);
    return db
      .select(outline)
      .from(table)
      .where(where)
      .orderBy(...orderOf(query))
      .limit(limit)
      .offset(offset);
  }

  /** Topics with their texts, in the order of the page, until these exceed the limit. */
  function pageWithContent(where: SQL | undefined, query: Sorting) {
    const { limit, offset } = limitAndOffset(query);
    const order = orderOf(query);
    const onPage = db
      .select({ id: table.id })
      .from(table)
      .where(where)
      .orderBy(...order)
      .limit(limit)
      .offset(offset);
    // PostgreSQL knows the length of a text without reading it.
    const bytesSoFar = sql`sum(octet_length(${table.content})) over (order by ${sql.join(order, sql`, `)} rows unbounded preceding)`;
    const isOmitted = sql<boolean>`${bytesSoFar} > ${maxPageContentBytes}`;
    const content = sql<string | null>`case when ${isOmitted} then null else ${table.content} end`;
    return db
      .select({ ...outline, content, contentOmitted: isOmitted })
      .from(table)
      .where(inArray(table.id, onPage))
      .orderBy(...order);
  }

  return {
    /** Levels have no ancestors, so a level is live if it is active. */
    countLevels: (filters: NodeFilters) =>
      isUnfiltered(filters)
        ? sumNodeCounts(db, 'level', { isActive: true })
        : db.$count(table, isLiveChild(null, filters)),

    /**
     * The ids and versions determine what `listLive` returns as of the same moment. They say nothing of a later one: a
     * parent that is deactivated takes its children from the list, but leaves their versions.
     */
    async getLiveParent(kind: Kind, parentId: string, query: NodeQuery): Promise<LiveParent> {
      const page = { kind, parentId, ...limitAndOffset(query) };
      const isDefault = isUnfiltered(query) && query.sort === 'position' && query.order === 'asc';
      const [row] = isDefault
        ? await liveParent(db).execute(page)
        : await selectLiveParent(db, { ...page, filters: query, order: orderOf(query) });
      if (!row) throw new notFound[kind]();
      return row;
    },

    listLive: (parentId: string | null, query: NodeQuery) => page(isLiveChild(parentId, query), query),
    listLiveWithContent: (parentId: string, query: NodeQuery) => pageWithContent(isLiveChild(parentId, query), query),

    countManaged: (kind: Kind, filters: ManagedFilters) =>
      isUnfiltered(filters) ? sumNodeCounts(db, kind, filters) : db.$count(table, isManaged(kind, filters)),

    listManaged: (kind: Kind, query: ManagedQuery): Promise<Node[]> =>
      kind === 'topic' ? pageWithContent(isManaged(kind, query), query) : page(isManaged(kind, query), query),

    countMentored: (mentor: MentorIdentity, filters: NodeFilters) => db.$count(table, isMentoredBy(mentor, filters)),

    listMentored: (mentor: MentorIdentity, query: NodeQuery) => page(isMentoredBy(mentor, query), query),
  };
};

/** True if the counts of the `node_counts` table give the total. */
const isUnfiltered = (filters: ManagedFilters): boolean => {
  const { search, level, educationLevelId, gradeId, subjectId, externalId } = filters;
  const { createdFrom, createdTo, updatedFrom, updatedTo } = filters;
  const ancestors = [educationLevelId, gradeId, subjectId];
  const applied = [search, level, ...ancestors, externalId, createdFrom, createdTo, updatedFrom, updatedTo];
  return applied.every((filter) => filter === undefined);
};

async function sumNodeCounts(db: Db, kind: Kind, { isActive, includeDeleted }: ManagedFilters): Promise<number> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${nodeCounts.total}), 0)`.mapWith(Number) })
    .from(nodeCounts)
    .where(
      and(
        eq(nodeCounts.kind, kind),
        includeDeleted ? undefined : eq(nodeCounts.isDeleted, false),
        isActive === undefined ? undefined : eq(nodeCounts.isActive, isActive),
      ),
    );
  return row?.total ?? 0;
}

const matching = ({ search, level, ...range }: NodeFilters): (SQL | undefined)[] => [
  containsText(search, table.name, table.description),
  level ? eq(table.level, level) : undefined,
  ...inDateRange(range, table),
];

const isLiveChild = (parentId: string | Placeholder | null, filters: NodeFilters): SQL | undefined =>
  and(isChildOf(parentId), table.isLive, ...matching(filters));

const isManaged = (kind: Kind, filters: ManagedFilters): SQL | undefined =>
  and(
    eq(table.kind, kind),
    filters.includeDeleted ? undefined : isNull(table.deletedAt),
    filters.externalId === undefined ? undefined : eq(table.externalId, filters.externalId),
    filters.isActive === undefined ? undefined : eq(table.isActive, filters.isActive),
    ...isBelowAncestors(kind, filters),
    ...matching(filters),
  );

const isMentoredBy = ({ identityProviderId, email }: MentorIdentity, filters: NodeFilters): SQL | undefined =>
  and(
    eq(table.kind, 'subject'),
    isNull(table.deletedAt),
    or(
      eq(table.mentorId, identityProviderId),
      email === null ? undefined : and(isNull(table.mentorId), eq(table.mentorEmail, email)),
    ),
    ...matching(filters),
  );

/** Descendants of the given ancestors; an unknown ancestor has none. */
function isBelowAncestors(kind: Kind, { educationLevelId, gradeId, subjectId }: ManagedFilters): (SQL | undefined)[] {
  const depth = kindNames.indexOf(kind);
  return [
    isDescendantOf(educationLevelId, depth),
    isDescendantOf(gradeId, depth - 1),
    isDescendantOf(subjectId, depth - 2),
  ];
}

function isDescendantOf(ancestorId: string | undefined, generations: number): SQL | undefined {
  if (ancestorId === undefined) return undefined;
  let parents = sql`(${ancestorId})`;
  for (let generation = 1; generation < generations; generation += 1)
    parents = sql`(select id from ${table} where parent_id in ${parents})`;
  return sql`${table.parentId} in ${parents}`;
}
