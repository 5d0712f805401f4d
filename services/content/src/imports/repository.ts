import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { type DateRange, inDateRange, limitAndOffset, orderByColumns, type SortRequest } from '@lms/database/paging';
import { and, asc, eq, inArray, lt, lte, type SQL, sql } from 'drizzle-orm';
import { type Import, type ImportMode, type ImportStatus, imports as table } from './table.ts';

/** Another process may continue an import whose lease has ended. */
const leaseSeconds = 30;
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
const open: ImportStatus[] = ['queued', 'checking', 'importing'];

export const sortable = ['createdAt', 'updatedAt', 'status'] as const;
export interface ImportFilters extends DateRange {
  search?: string;
  status?: ImportStatus;
  mode?: ImportMode;
}
export type ImportQuery = SortRequest<(typeof sortable)[number]> & ImportFilters;
const sorts = { createdAt: table.createdAt, updatedAt: table.updatedAt, status: table.status };

type Change = Partial<Omit<typeof table.$inferInsert, 'isCancelRequested'>>;
export type NewImport = Pick<
  Import,
  'mode' | 'dryRun' | 'format' | 'fileName' | 'fileId' | 'size' | 'createdBy' | 'requestId'
>;

/** The jobs of imports. */
export const imports = (db: Db) => ({
  async insert(given: NewImport, leaseId: string | null) {
    const [row] = await db
      .insert(table)
      .values({ ...given, leaseId, ...(leaseId !== null && { dueAt: inSeconds(leaseSeconds) }) })
      .returning();
    if (!row) throw new Error('insert returned no row');
    return row;
  },

  async find(id: string) {
    const [row] = await db.select().from(table).where(eq(table.id, id));
    return row;
  },

  count: (filters: ImportFilters) => db.$count(table, matching(filters)),
  list(query: ImportQuery) {
    const { limit, offset } = limitAndOffset(query);
    return db
      .select()
      .from(table)
      .where(matching(query))
      .orderBy(...orderByColumns(query, sorts, table.id))
      .limit(limit)
      .offset(offset);
  },

  /** Leases the oldest import that no process is running. */
  async claim() {
    const due = db
      .select({ id: table.id })
      .from(table)
      .where(and(inArray(table.status, open), lte(table.dueAt, sql`now()`)))
      .orderBy(asc(table.createdAt))
      .limit(1)
      .for('update', { skipLocked: true });
    const [row] = await db
      .update(table)
      .set({ dueAt: inSeconds(leaseSeconds), leaseId: createId(), attempts: sql`${table.attempts} + 1` })
      // With `in`, PostgreSQL may read the subquery again for each row, and lease several.
      .where(eq(table.id, sql`(${due})`))
      .returning();
    return row;
  },

  /** Changes an import that this attempt still has the lease of, and renews the lease. */
  async update(id: string, leaseId: string | null, change: Change) {
    const [row] = await db
      .update(table)
      .set({ ...change, dueAt: inSeconds(leaseSeconds) })
      .where(
        and(
          eq(table.id, id),
          leaseId === null ? sql`${table.leaseId} is null` : eq(table.leaseId, leaseId),
          inArray(table.status, open),
        ),
      )
      .returning();
    return row;
  },

  /** Lets another attempt continue, not before this many seconds have passed. */
  async release(id: string, leaseId: string, seconds: number, counts: boolean) {
    await db
      .update(table)
      .set({ leaseId: null, dueAt: inSeconds(seconds), ...(!counts && { attempts: sql`${table.attempts} - 1` }) })
      .where(and(eq(table.id, id), eq(table.leaseId, leaseId)));
  },

  /** Marks the running attempt, which then stops. Returns undefined if the import has ended. */
  async requestCancel(id: string) {
    const [row] = await db
      .update(table)
      .set({ isCancelRequested: true })
      .where(and(eq(table.id, id), inArray(table.status, open)))
      .returning();
    return row;
  },

  deleteEndedBefore: (instant: Date) => db.delete(table).where(lt(table.finishedAt, instant)),
});

const matching = ({ search, status, mode, ...range }: ImportFilters): SQL | undefined =>
  and(
    search === undefined ? undefined : sql`strpos(lower(${table.fileName}), lower(${search})) > 0`,
    status === undefined ? undefined : eq(table.status, status),
    mode === undefined ? undefined : eq(table.mode, mode),
    ...inDateRange(range, table),
  );
