import type { PageRequest } from '@lms/contracts/pages';
import { type AnyColumn, asc, desc, ilike, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './connect.ts';

export interface SortRequest<S extends string> extends PageRequest {
  sort: S;
  order: 'asc' | 'desc';
}

/** A column or an expression by which a list is ordered or searched. */
export type Sortable = AnyColumn | SQL;

export interface DateRange {
  createdFrom?: string;
  createdTo?: string;
  updatedFrom?: string;
  updatedTo?: string;
}

export const limitAndOffset = ({ page, limit }: PageRequest) => ({ limit, offset: (page - 1) * limit });

/** A query whose rows are in order, without a limit. */
interface OrderedQuery<Row> {
  limit: (limit: number) => { offset: (offset: number) => PromiseLike<Row[]> };
}

/** Reads one page of a list, and meanwhile how many rows all pages have. */
export async function readPage<Row>(request: PageRequest, query: OrderedQuery<Row>, count: PromiseLike<number>) {
  const { limit, offset } = limitAndOffset(request);
  const [items, total] = await Promise.all([query.limit(limit).offset(offset), count]);
  return { items, total };
}

/** A query for ids in order, without a limit. */
interface OrderedIds {
  limit: (limit: number) => { offset: (offset: number) => SQLWrapper };
}

/**
 * True for the rows of one page. PostgreSQL skips the ids of the pages before, often in an index alone; it would read and
 * join their rows if the limit were on the query for the rows.
 */
export function isOnPage(request: PageRequest, id: AnyColumn, ids: OrderedIds): SQL {
  const { limit, offset } = limitAndOffset(request);
  return inArray(id, ids.limit(limit).offset(offset));
}

interface LongList {
  table: PgTable & { id: AnyPgColumn };
  where: SQL | undefined;
  order: SQL[];
}

/**
 * As `readPage`, for a list whose late pages would otherwise read many rows.
 * @param select reads the rows for which the condition is true
 */
export async function readPageById<Row>(
  db: Db,
  request: PageRequest,
  { table, where, order }: LongList,
  select: (condition: SQL) => { orderBy: (...order: SQL[]) => PromiseLike<Row[]> },
) {
  const ids = db
    .select({ id: table.id })
    .from(table)
    .where(where)
    .orderBy(...order);
  const rows = select(isOnPage(request, table.id, ids)).orderBy(...order);
  const [items, total] = await Promise.all([rows, db.$count(table, where)]);
  return { items, total };
}

/** Orders by the requested column, then by the tie breakers, then by id, so that pages never overlap. */
export function orderByColumns<S extends string>(
  { sort, order }: Pick<SortRequest<S>, 'sort' | 'order'>,
  columns: Record<S, Sortable>,
  id: AnyColumn,
  ...tieBreakers: Sortable[]
): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  return [
    direction(columns[sort]),
    ...tieBreakers.filter((column) => column !== columns[sort]).map((column) => asc(column)),
    direction(id),
  ];
}

/** Matches rows whose columns contain the text, ignoring case. `%`, `_` and `\` are literal. */
export function containsText(text: string | undefined, ...columns: Sortable[]): SQL | undefined {
  if (text === undefined) return undefined;
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}

/** Inclusive ranges over creation and update. A date without a time covers the whole day in UTC. */
export function inDateRange(
  range: DateRange,
  { createdAt, updatedAt }: { createdAt: Sortable; updatedAt: Sortable },
): SQL[] {
  const { createdFrom, createdTo, updatedFrom, updatedTo } = range;
  return [
    createdFrom && sql`${createdAt} >= ${instant(new Date(createdFrom))}`,
    createdTo && sql`${createdAt} <= ${instant(endOf(createdTo))}`,
    updatedFrom && sql`${updatedAt} >= ${instant(new Date(updatedFrom))}`,
    updatedTo && sql`${updatedAt} <= ${instant(endOf(updatedTo))}`,
  ].filter((condition) => typeof condition === 'object');
}

const instant = (date: Date) => sql`${date.toISOString()}::timestamptz`;
const endOf = (text: string) => new Date(text.includes('T') ? text : `${text}T23:59:59.999Z`);
