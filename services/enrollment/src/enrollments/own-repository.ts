import { isoText, nullableIsoText } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { orderByColumns, readPage, type SortRequest } from '@lms/database/paging';
import { literalLimit, prepared } from '@lms/database/prepared';
import { eq, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { type EnrollmentFilter, matchesFilter, type SortField, selection, sortable } from './repository.ts';
import { enrollmentTable as table } from './table.ts';

type Page = SortRequest<SortField>;

const { enrollment: columns, subject } = selection;
/** Without the copy of the user, and with times as they are sent. */
const ownSelection = {
  enrollment: {
    ...columns,
    requestedAt: isoText(columns.requestedAt),
    decidedAt: nullableIsoText(columns.decidedAt),
    expiresAt: nullableIsoText(columns.expiresAt),
    endedAt: nullableIsoText(columns.endedAt),
    createdAt: isoText(columns.createdAt),
    updatedAt: isoText(columns.updatedAt),
  },
  subject,
};
const isSubject = eq(outlineTable.id, table.subjectId);

const latestFirst = { sort: 'requestedAt', order: 'desc' } as const;
const ownedByUser = eq(table.userId, sql.placeholder('userId'));

const firstPage = (limit: number) =>
  prepared(`own_enrollments_${limit}`, (db) =>
    db
      .select({ ...ownSelection, total: db.$count(table, ownedByUser) })
      .from(table)
      .innerJoin(outlineTable, isSubject)
      .where(ownedByUser)
      .orderBy(...orderByColumns(latestFirst, sortable, table.id))
      .limit(literalLimit(limit)),
  );
/** By limit. The list as users open it: no filter, latest first. */
const firstPages = new Map<number, ReturnType<typeof firstPage>>();

function firstPageOf(limit: number) {
  const page = firstPages.get(limit) ?? firstPage(limit);
  firstPages.set(limit, page);
  return page;
}

const isFirstPage = (filter: EnrollmentFilter, { page, sort, order }: Page) => {
  const { status, subjectId, search, createdFrom, createdTo, updatedFrom, updatedTo } = filter;
  const applied = [status, subjectId, search, createdFrom, createdTo, updatedFrom, updatedTo];
  const isUnfiltered = applied.every((one) => one === undefined);
  return page === 1 && isUnfiltered && sort === latestFirst.sort && order === latestFirst.order;
};

/** The enrollments of one user, as the user sees them. */
export const ownEnrollments = (db: Db) => ({
  async list(userId: string, filter: Omit<EnrollmentFilter, 'userId'>, page: Page) {
    if (isFirstPage(filter, page)) {
      const items = await firstPageOf(page.limit)(db).execute({ userId });
      return { items, total: items[0]?.total ?? 0 };
    }
    const where = matchesFilter({ ...filter, userId }, 'owner');
    const matching = db.select({ id: table.id }).from(table).innerJoin(outlineTable, isSubject).where(where);
    const ordered = db
      .select(ownSelection)
      .from(table)
      .innerJoin(outlineTable, isSubject)
      .where(where)
      .orderBy(...orderByColumns(page, sortable, table.id));
    return readPage(page, ordered, db.$count(matching.as('matching')));
  },
});
export type OwnEnrollment = Awaited<ReturnType<ReturnType<typeof ownEnrollments>['list']>>['items'][number];
