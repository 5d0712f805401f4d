import type { Db } from '@lms/database/connect';
import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { type Kind, nodes as table } from '../hierarchy/table.ts';
import { rootNotFound } from './errors.ts';

const { search: _search, bodySearch: _bodySearch, ...columns } = getTableColumns(table);
export type SnapshotNode = Omit<typeof table.$inferSelect, 'search' | 'bodySearch'>;

// At most this many texts are in memory.
const pageSize = 50;
// The same order in every database, whatever its locale.
const byteName = sql`${table.name} collate "C"`;
const isPresent = isNull(table.deletedAt);

/** Reads the tree, without what is deleted. */
export const snapshotRepository = (db: Db) => {
  const get = async (kind: Kind, id: string): Promise<SnapshotNode> => {
    const [node] = await db
      .select(columns)
      .from(table)
      .where(and(eq(table.id, id), eq(table.kind, kind), isPresent));
    if (!node) throw new rootNotFound[kind]();
    return node;
  };

  const listPage = (parentId: string | null, after: SnapshotNode | undefined): Promise<SnapshotNode[]> =>
    db
      .select(columns)
      .from(table)
      .where(
        and(
          parentId === null ? eq(table.kind, 'level') : eq(table.parentId, parentId),
          isPresent,
          after && sql`(${table.position}, ${byteName}) > (${after.position}, ${after.name})`,
        ),
      )
      .orderBy(asc(table.position), byteName)
      .limit(pageSize);

  /** Everything below a node, each item after its parent; from the levels down if it is null. */
  async function* walk(parentId: string | null): AsyncGenerator<SnapshotNode> {
    for (
      let page = await listPage(parentId, undefined);
      page.length > 0;
      page = await listPage(parentId, page.at(-1))
    ) {
      for (const node of page) {
        yield node;
        if (node.kind !== 'topic') yield* walk(node.id);
      }
      if (page.length < pageSize) return;
    }
  }

  /** The ancestors of a node, from the level down. */
  async function listAncestors({ parentKind, parentId }: SnapshotNode): Promise<SnapshotNode[]> {
    if (parentKind === null || parentId === null) return [];
    const parent = await get(parentKind, parentId);
    return [...(await listAncestors(parent)), parent];
  }

  return { get, walk, listAncestors };
};
