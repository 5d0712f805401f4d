import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import { liveTopics, type NodeKind, outlineTable } from './table.ts';

export type OutlineNode = typeof outlineTable.$inferSelect;
export type NodeValues = Omit<OutlineNode, 'createdAt' | 'updatedAt'>;

type NewNode = Pick<OutlineNode, 'id' | 'kind' | 'parentId' | 'name'>;

/** Rows are locked in this order: another one could deadlock. */
const byIdOrder = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/** A topic and the subject that it belongs to. */
export interface TopicRef {
  id: string;
  subjectId: string;
}

const nodeOfKind = prepared('node_of_kind', (db) =>
  db
    .select()
    .from(outlineTable)
    .where(and(eq(outlineTable.id, sql.placeholder('id')), eq(outlineTable.kind, sql.placeholder('kind')))),
);

const liveTopic = prepared('live_topic', (db) =>
  db
    .select({ id: liveTopics.id, subjectId: liveTopics.subjectId })
    .from(liveTopics)
    .where(eq(liveTopics.id, sql.placeholder('id'))),
);

export const outline = (db: Db) => ({
  async find(kind: NodeKind, id: string): Promise<OutlineNode | undefined> {
    const [node] = await nodeOfKind(db).execute({ id, kind });
    return node;
  },

  /** Locks the node until the transaction ends. */
  async lock(id: string): Promise<OutlineNode | undefined> {
    const [node] = await db.select().from(outlineTable).where(eq(outlineTable.id, id)).for('update');
    return node;
  },

  async findLiveTopic(id: string): Promise<TopicRef | undefined> {
    const [topic] = await liveTopic(db).execute({ id });
    return topic;
  },

  /** The live topics of some subjects, in order. */
  listLiveTopics: (subjectIds: string[]): Promise<TopicRef[]> =>
    db
      .select({ id: liveTopics.id, subjectId: liveTopics.subjectId })
      .from(liveTopics)
      .where(inArray(liveTopics.subjectId, subjectIds))
      .orderBy(asc(liveTopics.position), asc(liveTopics.name), asc(liveTopics.id)),

  /** The versions of nodes that the local copy contains. */
  async listVersions(ids: string[]): Promise<Map<string, number>> {
    const { id, version } = outlineTable;
    const rows = await db.select({ id, version }).from(outlineTable).where(inArray(id, ids));
    return new Map(rows.map((row) => [row.id, row.version]));
  },

  insertIfAbsent: (node: NewNode) => outline(db).insertAllIfAbsent([node]),

  /** Stores live nodes unless an event or an earlier response has already done so. */
  async insertAllIfAbsent(nodes: NewNode[]) {
    if (nodes.length === 0) return;
    await db
      .insert(outlineTable)
      .values(nodes.map((node) => ({ ...node, isLive: true })).sort(byIdOrder))
      .onConflictDoNothing();
  },

  /** Stores the states that are newer than the stored ones. Of several states of a node, the last one counts. */
  async upsertAll(nodes: NodeValues[]) {
    const last = new Map(nodes.map((node) => [node.id, node]));
    await db
      .insert(outlineTable)
      .values([...last.values()].sort(byIdOrder))
      .onConflictDoUpdate({
        target: outlineTable.id,
        set: {
          parentId: sql`excluded.parent_id`,
          name: sql`excluded.name`,
          position: sql`excluded.position`,
          isLive: sql`excluded.is_live`,
          isDeleted: sql`excluded.is_deleted`,
          version: sql`excluded.version`,
        },
        setWhere: lt(outlineTable.version, sql`excluded.version`),
      });
  },
});
