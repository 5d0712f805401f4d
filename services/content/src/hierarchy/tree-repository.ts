import type { Db } from '@lms/database/connect';
import { and, eq, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { content, isChildOf, type NewNode, nextVersion, outline } from './repository.ts';
import { type Kind, nodes as table } from './table.ts';

const others = alias(table, 'others');

/** A node of an import. The columns that it has not get their defaults. */
export type NewTreeNode = { id: string } & Pick<
  NewNode,
  | 'kind'
  | 'parentId'
  | 'name'
  | 'externalId'
  | 'description'
  | 'position'
  | 'isActive'
  | 'isLive'
  | 'imageUrl'
  | 'level'
  | 'mentorEmail'
  | 'content'
>;

// One parameter, however many ids there are.
const isIn = (ids: string[]): SQL =>
  sql`${table.id} = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`;

/** Reads and writes of many nodes; the writes require the exclusive structure lock. */
export const tree = (db: Db) => ({
  /** The number of undeleted descendants of each kind. */
  async countDescendants(id: string): Promise<{ kind: Kind; total: number }[]> {
    return db
      .select({ kind: table.kind, total: sql`count(*)`.mapWith(Number) })
      .from(table)
      .where(and(inSubtree(id), ne(table.id, id)))
      .groupBy(table.kind);
  },

  /** Marks a node and its undeleted descendants as deleted. */
  softDelete: (id: string, deletionId: string) =>
    db
      .update(table)
      .set({
        // One instant for all of them. The purge relies on one clock: what is below a node is never deleted later.
        deletedAt: sql`statement_timestamp()`,
        deletionId,
        wasActive: sql`${table.isActive}`,
        isActive: false,
        isLive: false,
        version: nextVersion,
      })
      .where(inSubtree(id))
      .returning(outline),

  /** Nodes in any state, with their texts. */
  listByIds: async (ids: string[]) =>
    ids.length === 0
      ? []
      : db
          .select({ ...outline, content })
          .from(table)
          .where(isIn(ids)),

  listWithoutContent: (ids: string[]) => db.select(outline).from(table).where(isIn(ids)),

  /** Inserts new nodes and returns them in the same order. One parameter for all of them keeps the statement small. */
  async insertMany(rows: NewTreeNode[]) {
    await db.execute(sql`
      insert into ${table} (id, kind, parent_id, name, external_id, description, position, is_active, is_live, image_url,
        level, mentor_email, content)
      select id, kind, "parentId", name, "externalId", description, position, "isActive", "isLive", "imageUrl",
        level, "mentorEmail", content
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(id text, kind text, "parentId" text, name text,
        "externalId" text, description text, position integer, "isActive" boolean, "isLive" boolean, "imageUrl" text,
        level text, "mentorEmail" text, content text)`);
    const ids = rows.map(({ id }) => id);
    const inserted = new Map((await db.select(outline).from(table).where(isIn(ids))).map((row) => [row.id, row]));
    return ids.flatMap((id) => inserted.get(id) ?? []);
  },

  /** A node of one delete whose external id another node has now. */
  async findTakenExternalId(deletionId: string) {
    const [taken] = await db
      .select({ kind: table.kind, externalId: table.externalId })
      .from(table)
      .innerJoin(others, and(eq(others.kind, table.kind), eq(others.externalId, table.externalId)))
      .where(and(eq(table.deletionId, deletionId), isNull(others.deletedAt)))
      .limit(1);
    return taken;
  },

  /** Restores the nodes of one delete, each with its former `isActive`. Call `refreshIsLive` afterwards. */
  restoreDeletion: (deletionId: string) =>
    db
      .update(table)
      .set({
        deletedAt: null,
        deletionId: null,
        isActive: sql`coalesce(${table.wasActive}, true)`,
        wasActive: null,
        version: nextVersion,
      })
      .where(eq(table.deletionId, deletionId))
      .returning(outline),

  /** Recomputes `isLive` in a subtree. A derived column: `version` and `updatedAt` do not change. */
  refreshIsLive: (id: string) =>
    db.execute(sql`
      with recursive reached as (
        select node.id, node.is_active and coalesce(parent.is_live, true) as is_live
          from ${table} as node left join ${table} as parent on parent.id = node.parent_id
          where node.id = ${id}
        union all
        select child.id, child.is_active and reached.is_live
          from ${table} as child join reached on child.parent_id = reached.id
      )
      update ${table} as node set is_live = reached.is_live
        from reached where node.id = reached.id and node.is_live <> reached.is_live`),

  /** The undeleted children of a parent. */
  listChildren: (parentId: string | null) =>
    db
      .select(outline)
      .from(table)
      .where(and(isChildOf(parentId), isNull(table.deletedAt))),

  /** Puts nodes in the given order and returns those that moved. */
  setPositions(ids: string[]) {
    const order = sql`(select id, number::int - 1 as position from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as given(id, number)) as new_order`;
    return db
      .update(table)
      .set({ position: sql`new_order.position`, version: nextVersion })
      .from(order)
      .where(sql`${table.id} = new_order.id and ${table.position} <> new_order.position`)
      .returning(outline);
  },

  /**
   * Permanently removes nodes that were deleted before an instant: those of whole deletions, the oldest first, until these
   * have `limit` nodes.
   */
  purge(deletedBefore: Date, limit: number) {
    const due = db
      .select({ deletionId: table.deletionId })
      .from(table)
      .where(lt(table.deletedAt, deletedBefore))
      .orderBy(table.deletedAt)
      .limit(limit);
    return db.delete(table).where(inArray(table.deletionId, due)).returning(outline);
  },

  /** All live levels, grades and subjects, in order. */
  listLiveOutline: () =>
    db
      .select({ id: table.id, kind: table.kind, name: table.name, level: table.level, parentId: table.parentId })
      .from(table)
      .where(and(inArray(table.kind, ['level', 'grade', 'subject']), table.isLive))
      .orderBy(table.position, table.name, table.id),

  /** The number of live children of each node. */
  countLiveChildren: () =>
    db
      .select({ parentId: sql<string>`${table.parentId}`, total: sql`count(*)`.mapWith(Number) })
      .from(table)
      .where(and(isNotNull(table.parentId), table.isLive))
      .groupBy(table.parentId),
});

/** A node and its undeleted descendants. */
const inSubtree = (id: string): SQL => sql`${table.id} in (
  with recursive subtree as (
    select id from ${table} where id = ${id}
    union all
    select child.id from ${table} as child join subtree on child.parent_id = subtree.id where child.deleted_at is null
  )
  select id from subtree)`;
