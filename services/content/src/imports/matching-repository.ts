import type { Db } from '@lms/database/connect';
import { type SQL, sql } from 'drizzle-orm';
import type { Issue } from '../curriculum/read-items.ts';
import { type Kind, kindNames, nodes } from '../hierarchy/table.ts';
import { type ImportMode, importItems as items } from './table.ts';

const idOf = (alias: string) => sql.raw(`coalesce(${alias}.node_id, ${alias}.new_id)`);
const errorRow = (code: string, message: string) => sql`'error' as severity, ${code} as code, ${message} as message`;

/** Statements over all items of an import at once; they require the exclusive structure lock. */
export const matching = (tx: Db, importId: string) => {
  const ofImport = (alias: string) => sql`${sql.raw(alias)}.import_id = ${importId}`;
  const deletedByMirror = sql`
    select child.id, child.kind from ${nodes} as child
      join ${items} as parent on parent.node_id = child.parent_id and ${ofImport('parent')}
      where child.deleted_at is null
        and (parent.lists_children or exists (
          select from ${items} as any_child where ${ofImport('any_child')} and any_child.parent = parent.number))
        and parent.fields->'partial' is distinct from 'true'::jsonb
        and not exists (select from ${items} as matched where ${ofImport('matched')} and matched.node_id = child.id)`;

  /**
   * The items with the node of their parent as `given`, to be joined with the nodes of the same name below it. Materialized:
   * joined with the nodes by their names first, as plans from old statistics do, many items of one name would take minutes.
   */
  const withGiven = (parentId: SQL) => sql`
    with given as materialized (
      select item.number, item.kind, item.location, item.node_id, item.new_id, ${parentId} as parent_id,
          item.fields->>'name' as name, item.fields->>'externalId' as external_id
        from ${items} as item left join ${items} as parent on ${ofImport('parent')} and parent.number = item.parent
        where ${ofImport('item')}
    )`;
  const sameName = sql`node.kind = given.kind and node.deleted_at is null and node.name = given.name
    and coalesce(node.parent_id, '') = coalesce(given.parent_id, '')`;

  async function issues(query: SQL): Promise<Issue[]> {
    return [...(await tx.execute<Issue & Record<string, unknown>>(query))];
  }

  return {
    /**
     * For imports of many items: the table has just been filled, so its statistics are those of an earlier import, and a plan
     * with nested loops can take minutes.
     */
    async preferHashJoins(isPreferred: boolean) {
      await tx.execute(sql.raw(`set local enable_nestloop = ${isPreferred ? 'off' : 'on'}`));
    },

    /** Finds the node of each item: by its external id, else by its name below the parent. */
    async matchNodes() {
      await tx.execute(
        sql`update ${items} as item set node_id = null where ${ofImport('item')} and node_id is not null`,
      );
      for (const kind of kindNames) {
        await tx.execute(sql`
          update ${items} as item set node_id = node.id from ${nodes} as node
            where ${ofImport('item')} and item.kind = ${kind} and node.kind = ${kind} and node.deleted_at is null
              and node.external_id = item.fields->>'externalId'`);
        // A node with another external id is another item.
        await tx.execute(sql`${withGiven(sql`parent.node_id`)}, found as materialized (
            select given.number, node.id from given join ${nodes} as node on ${sameName}
              where given.kind = ${kind} and given.node_id is null
                and (node.external_id is null or given.external_id is null)
                and not exists (select from ${items} as other where ${ofImport('other')} and other.node_id = node.id)
          )
          update ${items} as item set node_id = found.id from found where ${ofImport('item')} and item.number = found.number`);
      }
    },

    /** What prevents the import as a whole; at most `limit` problems of each sort. */
    async check(mode: ImportMode, limit: number): Promise<Issue[]> {
      const duplicates = (code: string, message: string, given: SQL, partition: SQL) => sql`
        select ${errorRow(code, message)}, location from (
          select item.location, item.number, row_number() over (partition by ${partition} order by item.number) as occurrence
          from ${items} as item where ${ofImport('item')} and ${given}
        ) as counted where occurrence > 1 order by number limit ${limit}`;
      const missing = (field: string, kinds: Kind[]) => sql`
        select ${errorRow('REQUIRED', `${field}: is required to create the item`)}, item.location from ${items} as item
          where ${ofImport('item')} and item.node_id is null and item.kind in ${kinds}
            and item.fields->>${field}::text is null and item.defaults->>${field}::text is null
          order by item.number limit ${limit}`;
      const nameTaken = sql`${withGiven(sql`parent.node_id`)}
        select ${errorRow('NAME_TAKEN', 'A sibling outside of this file has the name')}, given.location from given
          join ${nodes} as node on ${sameName}
          where node.id is distinct from given.node_id
            and not exists (select from ${items} as matched where ${ofImport('matched')} and matched.node_id = node.id)
            ${mode === 'mirror' ? sql`and node.id not in (select id from (${deletedByMirror}) as deleted)` : sql``}
          order by given.number limit ${limit}`;
      const moved = sql`
        with recursive deleted as (
          select id from (${deletedByMirror}) as direct
          union all
          select child.id from ${nodes} as child join deleted on child.parent_id = deleted.id where child.deleted_at is null
        )
        select ${errorRow('MOVED_FROM_DELETED', 'The item lies below one that the mirror deletes: move it first, with mode=upsert')},
          item.location from ${items} as item join deleted on deleted.id = item.node_id
          where ${ofImport('item')} order by item.number limit ${limit}`;
      const exists = sql`
        select ${errorRow('EXISTS', 'The item exists already')}, item.location from ${items} as item
          where ${ofImport('item')} and item.node_id is not null and item.fields->'partial' is distinct from 'true'::jsonb
          order by item.number limit ${limit}`;
      const queries = [
        duplicates(
          'DUPLICATE_NAME',
          'The name occurs twice below the same parent',
          sql`true`,
          sql`item.parent, item.kind, item.fields->>'name'`,
        ),
        duplicates(
          'DUPLICATE_EXTERNAL_ID',
          'externalId: occurs twice',
          sql`item.fields->>'externalId' is not null`,
          sql`item.kind, item.fields->>'externalId'`,
        ),
        duplicates(
          'SAME_ITEM',
          'Two items of the file are the same existing item',
          sql`item.node_id is not null`,
          sql`item.node_id`,
        ),
        missing('description', ['level', 'subject', 'topic']),
        missing('level', ['grade']),
        missing('content', ['topic']),
        nameTaken,
        ...(mode === 'mirror' ? [moved] : []),
        ...(mode === 'create' ? [exists] : []),
      ];
      const found: Issue[] = [];
      for (const query of queries) found.push(...(await issues(query)));
      return found;
    },

    /** The nodes that a mirror deletes: children of items that list their children, but not these. */
    listDeletions: async () => [
      ...(await tx.execute<{ id: string; kind: Kind }>(sql`${deletedByMirror} order by child.id`)),
    ],

    /**
     * Gives the nodes whose names other items of the import take temporary names, so that no moment has a name twice.
     * @returns their names
     */
    async freeNames(): Promise<Map<string, string>> {
      const rows = await tx.execute<{ id: string; name: string }>(sql`
        ${withGiven(idOf('parent'))}, holders as (
          select node.id, node.name from given join ${nodes} as node on ${sameName} where node.id <> ${idOf('given')}
        )
        update ${nodes} as node set name = '#' || (extract(epoch from clock_timestamp()) * 1000000)::bigint || number
          from (select id, name, row_number() over (order by id) as number from holders) as holder
          where node.id = holder.id returning node.id, holder.name`);
      return new Map([...rows].map(({ id, name }) => [id, name]));
    },
  };
};
