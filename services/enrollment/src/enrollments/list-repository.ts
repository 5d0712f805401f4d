import type { Db } from '@lms/database/connect';
import {
  containsText,
  isOnPage,
  limitAndOffset,
  orderByColumns,
  readPage,
  type Sortable,
  type SortRequest,
} from '@lms/database/paging';
import { type AnyColumn, and, eq, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { outlineTable } from '../outline/table.ts';
import { nameAndEmail, userTable } from '../users/table.ts';
import {
  type Audience,
  type EnrollmentFilter,
  isPastExpiry,
  matchesFilter,
  type SortField,
  selectEnrollments,
  sortable,
} from './repository.ts';
import { enrollmentTable as table } from './table.ts';

// An array and not `in`, so that each condition of an `or` can use its index.
const isOneOf = (id: AnyColumn, ids: SQL) => sql`${id} = any(array(${ids}))`;

const usersWith = (text: string) => sql`select id from ${userTable} where ${containsText(text, nameAndEmail)}`;
const subjectsWith = (text: string) =>
  sql`select id from ${outlineTable} where kind = 'subject' and ${containsText(text, outlineTable.name)}`;

const maxFew = 1_000;

/** Whether a search finds few users and subjects: every row that no index finds is compared with all their ids. */
async function findsFew(db: Db, text: string): Promise<boolean> {
  const count = (ids: SQL) => sql`(select count(*) from (${ids} limit ${maxFew + 1}) as found)`;
  const [row] = await db.execute<{ few: boolean }>(
    sql`select ${count(usersWith(text))} + ${count(subjectsWith(text))} <= ${maxFew} as few`,
  );
  return row?.few === true;
}

const isOfUser = (text: string) => isOneOf(table.userId, usersWith(text));
const isOfSubject = (text: string) => isOneOf(table.subjectId, subjectsWith(text));
const hasText = (text: string) => containsText(text, table.message, table.decisionReason, table.endReason);

/** Matches what the search of `matchesFilter` does, with indexes instead of joins. */
const matchesSearch = {
  owner: (text: string) => or(hasText(text), isOfSubject(text)),
  mentor: isOfUser,
  admin: (text: string) => or(hasText(text), isOfSubject(text), isOfUser(text)),
};

const { requestedAt, decidedAt, createdAt, updatedAt, status } = table;
const stored = { requestedAt, decidedAt, createdAt, updatedAt, status };

/**
 * The ids of a list in its order. `status` and `updatedAt` depend on the time, so that no index has their order: ordered by
 * the stored columns, merged with the few enrollments that are past their expiry but not yet stored as EXPIRED.
 */
function selectIds(db: Db, where: SQL | undefined, page: SortRequest<SortField>) {
  const { sort } = page;
  const byStored = orderByColumns(page, stored, table.id);
  if (sort !== 'status' && sort !== 'updatedAt')
    return db
      .select({ id: table.id })
      .from(table)
      .where(where)
      .orderBy(...byStored);

  const { limit, offset } = limitAndOffset(page);
  const select = (key: Sortable, condition: SQL | undefined) =>
    db
      .select({ id: table.id, key: sql`${key}`.as('key') })
      .from(table)
      .where(and(where, condition));
  const isDue = and(eq(status, 'APPROVED'), isPastExpiry);
  const due = db.select({ id: table.id }).from(table).where(and(where, isDue));
  const candidates = unionAll(
    // By their ids, so that PostgreSQL skips the pages before in an index alone.
    select(stored[sort], sql`${table.id} <> all(array(${due}))`)
      .orderBy(...byStored)
      .limit(offset + limit),
    select(sort === 'status' ? sql`'EXPIRED'` : table.expiresAt, isDue),
  ).as('candidates');
  return db
    .select({ id: candidates.id })
    .from(candidates)
    .orderBy(...orderByColumns({ ...page, sort: 'key' }, { key: sql`key` }, candidates.id));
}

/** Up to so many found rows are sorted: PostgreSQL cannot estimate a search, and would look for them in the order of the list. */
const maxSorted = 20_000;

/** Finds the enrollments that match a search with indexes; undefined if it finds many users or subjects. */
async function findByIndexes(db: Db, { search = '', ...rest }: EnrollmentFilter, audience: Audience) {
  if (!(await findsFew(db, search))) return undefined;
  const isFound = and(matchesFilter(rest, audience), matchesSearch[audience](search));
  const total = await db.$count(table, isFound);
  const found = sql`select ${table.id} from ${table} where ${isFound}`;
  return { total, where: total > maxSorted ? isFound : isOneOf(table.id, found) };
}

/** The condition for a query that joins subjects and users, as `selectEnrollments` does. */
export async function matchesJoined(db: Db, filter: EnrollmentFilter, audience: Audience): Promise<SQL | undefined> {
  const found = filter.search === undefined ? undefined : await findByIndexes(db, filter, audience);
  return found ? found.where : matchesFilter(filter, audience);
}

/** The enrollments of all users, or those in a subject. */
export const enrollmentLists = (db: Db) => ({
  async list(filter: EnrollmentFilter, page: SortRequest<SortField>, audience: Audience) {
    const select = (where: SQL | undefined) =>
      selectEnrollments(db)
        .where(isOnPage(page, table.id, selectIds(db, where, page)))
        .orderBy(...orderByColumns(page, sortable, table.id));
    if (filter.search === undefined) {
      const isMatch = matchesFilter(filter, audience);
      const [items, total] = await Promise.all([select(isMatch), db.$count(table, isMatch)]);
      return { items, total };
    }
    const found = await findByIndexes(db, filter, audience);
    if (found) return { items: found.total === 0 ? [] : await select(found.where), total: found.total };
    const all = selectEnrollments(db).where(matchesFilter(filter, audience));
    const ordered = selectEnrollments(db)
      .where(matchesFilter(filter, audience))
      .orderBy(...orderByColumns(page, sortable, table.id));
    return readPage(page, ordered, db.$count(all.as('matching')));
  },
});
