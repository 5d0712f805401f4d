import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { maxLengths, OneOf, Timestamp } from './text.ts';

export const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    total: Type.Integer({ minimum: 0 }),
    pages: Type.Integer({ minimum: 0 }),
    hasNext: Type.Boolean(),
    hasPrev: Type.Boolean(),
  },
  { title: 'Pagination' },
);
export type Pagination = Static<typeof Pagination>;

/** The body of a paginated list: `{success: true, data: [...], pagination}`. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ success: Type.Literal(true), data: Type.Array(item), pagination: Pagination });

/** The query of a list: page, limit, sort (one of the given fields), order and filters. */
export const PageQuery = <const S extends readonly string[], P extends TProperties>(
  sort: S,
  defaults: { sort: S[number]; order: 'asc' | 'desc' },
  filters: P,
) =>
  Type.Object({
    page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    sort: OneOf(sort, { default: defaults.sort }),
    order: OneOf(['asc', 'desc'], { default: defaults.order }),
    ...filters,
  });

export const Search = Type.Optional(
  Type.String({ minLength: 1, maxLength: maxLengths.search, description: 'Case-insensitive; %, _ and \\ are literal' }),
);

/** Inclusive date ranges over creation and update, for `PageQuery` filters. */
export const dateFilters = {
  createdFrom: Type.Optional(Timestamp()),
  createdTo: Type.Optional(Timestamp()),
  updatedFrom: Type.Optional(Timestamp()),
  updatedTo: Type.Optional(Timestamp()),
};

export interface PageRequest {
  page: number;
  limit: number;
}

export function paginate({ page, limit }: PageRequest, total: number): Pagination {
  const pages = Math.ceil(total / limit);
  return { page, limit, total, pages, hasNext: page < pages, hasPrev: page > 1 && pages > 0 };
}
