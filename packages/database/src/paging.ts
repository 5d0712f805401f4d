import type { PageRequest } from '@lms/contracts/pages';
import { type AnyColumn, asc, desc, ilike, or, type SQL, sql } from 'drizzle-orm';

export interface SortRequest<S extends string> extends PageRequest {
  sort: S;
  order: 'asc' | 'desc';
}

/** What a list can be ordered by and searched in: a column, or what is made of some. */
export type Sortable = AnyColumn | SQL;

export interface DateRange {
  createdFrom?: string;
  createdTo?: string;
  updatedFrom?: string;
  updatedTo?: string;
}

/** How many rows to take and to leave out. */
export const limitAndOffset = ({ page, limit }: PageRequest) => ({ limit, offset: (page - 1) * limit });

/** Orders by the asked column, then by the given ones, then by id, so that pages never overlap. */
export function orderByColumns<S extends string>(
  { sort, order }: SortRequest<S>,
  columns: Record<S, Sortable>,
  id: AnyColumn,
  ...ties: Sortable[]
): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  return [
    direction(columns[sort]),
    ...ties.filter((column) => column !== columns[sort]).map((column) => asc(column)),
    direction(id),
  ];
}

/** Case-insensitive containment in any of the columns, or in what is made of some; `%`, `_` and `\` mean themselves. */
export function containsText(text: string | undefined, ...columns: Sortable[]): SQL | undefined {
  if (text === undefined) return undefined;
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}

/** Inclusive ranges over creation and update; a day without a time is all of it, in UTC. */
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
