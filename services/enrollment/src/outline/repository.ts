import type { Db } from '@lms/database/connect';
import { and, eq, lt } from 'drizzle-orm';
import { outlineTable } from './table.ts';

export type OutlineNode = Omit<typeof outlineTable.$inferSelect, 'createdAt' | 'updatedAt'>;

export const outline = (db: Db) => ({
  async findSubject(id: string) {
    const [subject] = await db
      .select()
      .from(outlineTable)
      .where(and(eq(outlineTable.id, id), eq(outlineTable.kind, 'subject')));
    return subject;
  },

  /** Notes a node that no event has told of yet. */
  async note(node: Omit<OutlineNode, 'version' | 'isDeleted' | 'position'>) {
    await db.insert(outlineTable).values(node).onConflictDoNothing();
  },

  /** Takes over what an event says, unless a later one was heard already; tells whether it was news. */
  async hear(node: OutlineNode): Promise<boolean> {
    const { id, kind, ...facts } = node;
    const heard = await db
      .insert(outlineTable)
      .values({ id, kind, ...facts })
      .onConflictDoUpdate({ target: outlineTable.id, set: facts, setWhere: lt(outlineTable.version, facts.version) })
      .returning({ id: outlineTable.id });
    return heard.length > 0;
  },
});
