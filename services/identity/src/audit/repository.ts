import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  orderByColumns,
  readPageById,
  type SortRequest,
} from '@lms/database/paging';
import { and, eq, sql } from 'drizzle-orm';
import { auditEntries as table } from './table.ts';

export type AuditRow = typeof table.$inferSelect;

export interface AuditQuery extends SortRequest<'createdAt'>, DateRange {
  search?: string;
  actorId?: string;
  entity?: string;
  entityId?: string;
  action?: string;
}

export const audit = (db: Db) => ({
  /** Has no effect if an entry has this id. */
  insert: (entry: typeof table.$inferInsert) =>
    db
      .insert(table)
      // Not the database's now(), the beginning of a transaction that may have waited for the lock of another change.
      .values({ createdAt: sql`clock_timestamp()`, ...entry })
      .onConflictDoNothing({ target: table.id }),
  listAbout: (entity: string, entityId: string): Promise<AuditRow[]> =>
    db
      .select()
      .from(table)
      .where(and(eq(table.entity, entity), eq(table.entityId, entityId)))
      .orderBy(table.createdAt, table.id),
  /** The changes that set or removed this mentor of a subject. */
  listByMentor: (identityProviderId: string): Promise<AuditRow[]> =>
    db
      .select()
      .from(table)
      .where(
        and(
          eq(table.entity, 'subject'),
          sql`${identityProviderId} in (${table.changes} -> 'mentorId' ->> 'from', ${table.changes} -> 'mentorId' ->> 'to')`,
        ),
      ),
  replaceChanges: (id: string, changes: AuditRow['changes']) =>
    db.update(table).set({ changes }).where(eq(table.id, id)),

  async list(query: AuditQuery): Promise<{ items: AuditRow[]; total: number }> {
    const where = and(
      query.actorId === undefined ? undefined : eq(table.actorId, query.actorId),
      query.entity === undefined ? undefined : eq(table.entity, query.entity),
      query.entityId === undefined ? undefined : eq(table.entityId, query.entityId),
      query.action === undefined ? undefined : eq(table.action, query.action),
      containsText(query.search, table.action, table.entity, table.entityId, table.actorId, table.requestId),
      // Entries never change.
      ...inDateRange(query, { createdAt: table.createdAt, updatedAt: table.createdAt }),
    );
    const order = orderByColumns(query, table, table.id);
    return readPageById(db, query, { table, where, order }, (isOnPage) => db.select().from(table).where(isOnPage));
  },
});
