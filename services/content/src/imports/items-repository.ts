import { maxCaptions } from '@lms/contracts/curriculum';
import { maxDocuments } from '@lms/contracts/topic-documents';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { and, asc, between, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ReadItem } from '../curriculum/read-items.ts';
import type { Kind } from '../hierarchy/table.ts';
import { type ImportMedia, importMedia as media, importItems as table } from './table.ts';

const parents = alias(table, 'parents');
/** From here on it matters which plan a statement over all items has. */
export const manyItems = 500;
const batchSize = 100;
const batchBytes = 250_000;
export type NewMedia = Pick<ImportMedia, 'topicId' | 'location' | 'kind' | 'entry'>;

/** The items of an import, and the files that it stores. */
export const importItems = (db: Db, importId: string) => ({
  clear: () => db.delete(table).where(eq(table.importId, importId)),

  async insert(items: ReadItem[]) {
    if (items.length === 0) return;
    const rows = JSON.stringify(items.map((item) => ({ ...item, newId: createId() })));
    // One parameter for all of them keeps the statement small.
    await db.execute(sql`
      insert into ${table} (import_id, number, parent, kind, location, fields, defaults, lists_children, new_id)
      select ${importId}, number, parent, kind, location, fields, defaults, "listsChildren", "newId"
      from jsonb_to_recordset(${rows}::jsonb) as given(number integer, parent integer, kind text, location text, fields jsonb,
        defaults jsonb, "listsChildren" boolean, "newId" text)`);
  },

  /** Until then, the statistics are those of an earlier import or of none: a batch could read all items for each of its own. */
  analyze: () => db.execute(sql`analyze ${table} (import_id, number, parent, kind, node_id)`),

  /** The next items of a kind after a number, with the ids of their nodes and parents, up to a number of bytes. */
  async listBatch(kind: Kind, after: number) {
    const next = db
      .select({ number: table.number })
      .from(table)
      .where(and(eq(table.importId, importId), eq(table.kind, kind), gt(table.number, after)))
      .orderBy(asc(table.number))
      .limit(batchSize);
    const sizes = await db
      .select({
        number: table.number,
        bytes: sql`octet_length(${table.fields}::text) + octet_length(${table.defaults}::text)`.mapWith(Number),
      })
      .from(table)
      .where(and(eq(table.importId, importId), inArray(table.number, next)))
      .orderBy(asc(table.number));
    let bytes = 0;
    const numbers = sizes.filter((size, index) => {
      bytes += size.bytes;
      return index === 0 || bytes <= batchBytes;
    });
    if (numbers.length === 0) return [];
    return db
      .select({
        number: table.number,
        location: table.location,
        fields: table.fields,
        defaults: table.defaults,
        isNew: sql<boolean>`${table.nodeId} is null`,
        id: sql<string>`coalesce(${table.nodeId}, ${table.newId})`,
        parentId: sql<string | null>`coalesce(${parents.nodeId}, ${parents.newId})`,
      })
      .from(table)
      .leftJoin(parents, and(eq(parents.importId, table.importId), eq(parents.number, table.parent)))
      .where(
        and(
          eq(table.importId, importId),
          inArray(
            table.number,
            numbers.map(({ number }) => number),
          ),
        ),
      )
      .orderBy(asc(table.number));
  },

  count: () => db.$count(table, eq(table.importId, importId)),

  async addMedia(firstNumber: number, rows: NewMedia[]) {
    if (rows.length === 0) return;
    await db.insert(media).values(rows.map((row, index) => ({ ...row, importId, number: firstNumber + index })));
  },

  /** The next files after a number that are not stored yet. */
  listPendingMedia: (after: number, limit: number) =>
    db
      .select()
      .from(media)
      .where(and(eq(media.importId, importId), eq(media.isDone, false), gt(media.number, after)))
      .orderBy(asc(media.number))
      .limit(limit),

  /** The other documents of that name that the file has for the same topic, stored or not. */
  listNamesakes: ({ number, topicId, entry }: ImportMedia) =>
    db
      .select({ number: media.number, entry: media.entry })
      .from(media)
      .where(
        and(
          eq(media.importId, importId),
          // The documents of a topic have successive numbers.
          between(media.number, number - maxDocuments, number + maxDocuments),
          ne(media.number, number),
          eq(media.topicId, topicId),
          eq(media.kind, 'document'),
          sql`${media.entry}->>'name' = ${entry.name}`,
        ),
      ),

  async countMedia() {
    const [row] = await db
      .select({
        total: sql`count(*)`.mapWith(Number),
        done: sql`count(*) filter (where ${media.isDone})`.mapWith(Number),
      })
      .from(media)
      .where(eq(media.importId, importId));
    return row ?? { total: 0, done: 0 };
  },

  /** With a video that was refused, its captions are done, and none are removed: the topic may have another one. @returns how many files are done */
  async finishMedia({ number, topicId, kind }: ImportMedia, isRefused: boolean) {
    // The files of a video have successive numbers.
    const last = number + (kind === 'video' && isRefused ? maxCaptions + 1 : 0);
    const rows = await db
      .update(media)
      .set({ isDone: true })
      .where(
        and(
          eq(media.importId, importId),
          between(media.number, number, last),
          eq(media.topicId, topicId),
          inArray(media.kind, [kind, 'captions', 'prune-captions']),
        ),
      )
      .returning({ number: media.number });
    return rows.length;
  },
});
