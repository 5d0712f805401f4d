import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  orderByColumns,
  readPage,
  type SortRequest,
} from '@lms/database/paging';
import { and, asc, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { ExportNotFound } from './errors.ts';
import { exportJobs as table } from './table.ts';

export type Export = typeof table.$inferSelect;
export type NewExport = Pick<Export, 'format' | 'rootType' | 'rootId' | 'includeMedia' | 'createdBy'>;
export type Result = Required<Pick<Export, 'size' | 'checksum' | 'expiresAt'>>;
/** An attempt to run an export. Its file is its own, so a process that has lost the lease changes nothing. */
export type Attempt = Pick<Export, 'id' | 'fileId'>;

export interface ExportQuery extends SortRequest<'createdAt'>, DateRange {
  status?: Export['status'] | 'expired';
  search?: string;
}

const seconds = (count: number) => sql`now() + make_interval(secs => ${count})`;
const isAttempt = ({ id, fileId }: Attempt) =>
  and(eq(table.id, id), eq(table.status, 'running'), eq(table.fileId, fileId ?? ''));
/** Finds the status that is shown; like the presenter, with the clock of this process. */
const hasStatus = (status: ExportQuery['status']) =>
  status === 'completed' || status === 'expired'
    ? and(eq(table.status, 'completed'), (status === 'expired' ? lte : gt)(table.expiresAt, new Date()))
    : status && eq(table.status, status);

export const exportRepository = (db: Db) => ({
  async get(id: string): Promise<Export> {
    const [row] = await db.select().from(table).where(eq(table.id, id));
    if (!row) throw new ExportNotFound();
    return row;
  },

  async insert(job: NewExport): Promise<Export> {
    const [row] = await db.insert(table).values(job).returning();
    if (!row) throw new Error('insert returned no row');
    return row;
  },

  async list(query: ExportQuery): Promise<{ items: Export[]; total: number }> {
    const where = and(
      hasStatus(query.status),
      containsText(query.search, table.format, table.rootType),
      ...inDateRange(query, table),
    );
    const ordered = db
      .select()
      .from(table)
      .where(where)
      .orderBy(...orderByColumns(query, { createdAt: table.createdAt }, table.id));
    return readPage(query, ordered, db.$count(table, where));
  },

  /** Takes the oldest export that waits, or whose process has ended. */
  async claim(leaseSeconds: number): Promise<Export | undefined> {
    const due = db
      .select({ id: table.id })
      .from(table)
      .where(
        and(
          inArray(table.status, ['queued', 'running']),
          or(isNull(table.leaseUntil), lt(table.leaseUntil, sql`now()`)),
        ),
      )
      .orderBy(asc(table.createdAt))
      .limit(1)
      .for('update', { skipLocked: true });
    const [row] = await db
      .update(table)
      .set({
        status: 'running',
        percent: 0,
        fileId: createId(),
        attempts: sql`${table.attempts} + 1`,
        leaseUntil: seconds(leaseSeconds),
      })
      .where(eq(table.id, sql`(${due})`))
      .returning();
    return row;
  },

  /** Keeps the lease. False if another process has taken the export over. */
  async renew(attempt: Attempt, percent: number, leaseSeconds: number): Promise<boolean> {
    const rows = await db
      .update(table)
      .set({ percent, leaseUntil: seconds(leaseSeconds) })
      .where(isAttempt(attempt))
      .returning({ id: table.id });
    return rows.length > 0;
  },

  complete: (attempt: Attempt, result: Result) =>
    db
      .update(table)
      .set({ ...result, status: 'completed', percent: 100, leaseUntil: null, finishedAt: sql`now()` })
      .where(isAttempt(attempt)),

  fail: (attempt: Attempt, error: string) =>
    db
      .update(table)
      .set({ status: 'failed', error, leaseUntil: null, finishedAt: sql`now()` })
      .where(isAttempt(attempt)),

  /** Gives an attempt back, to be tried again later. */
  release: (attempt: Attempt, delaySeconds: number, countsAttempt = true) =>
    db
      .update(table)
      .set({
        status: 'queued',
        leaseUntil: seconds(delaySeconds),
        ...(!countsAttempt && { attempts: sql`${table.attempts} - 1` }),
      })
      .where(isAttempt(attempt)),

  purge: (days: number) => db.delete(table).where(lt(table.finishedAt, sql`now() - make_interval(days => ${days})`)),
});
