import type { ApplicationStatus } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  orderByColumns,
  readPageById,
  type SortRequest,
} from '@lms/database/paging';
import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import { foldCase, users } from '../users/table.ts';
import { ApplicationNotFound } from './errors.ts';
import { mentorApplications as table } from './table.ts';

export type Application = typeof table.$inferSelect;
export type NewApplication = Pick<
  Application,
  'userId' | 'motivation' | 'experience' | 'qualifications' | 'subjectIds'
>;
export type Decision = Pick<Application, 'status'> &
  Partial<Pick<Application, 'reviewedBy' | 'reviewedAt' | 'reviewNote'>>;

/** An application and its applicant, for admins. */
export interface Submission extends Application {
  user: { id: string; email: string; firstName: string | null; lastName: string | null };
}

export interface ApplicationQuery extends SortRequest<'createdAt'>, DateRange {
  status?: ApplicationStatus;
  userId?: string;
  search?: string;
  /** Whether `search` also matches the applicant's name and e-mail. */
  searchesApplicants?: boolean;
}

/** The ids of applicants instead of a join: so each of the conditions has an index. */
function matchesSearch(db: Db, { search, searchesApplicants }: ApplicationQuery) {
  if (search === undefined) return undefined;
  const found = db
    .select({ id: users.id })
    .from(users)
    .where(containsText(foldCase(search), users.searchText));
  return or(
    containsText(search, table.motivation, table.experience, table.qualifications, table.reviewNote),
    searchesApplicants ? sql`${table.userId} = any(array(${found}))` : undefined,
  );
}

const applicant = { id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName };

export const applications = (db: Db) => {
  const submissions = (where: SQL | undefined) =>
    db
      .select({ application: table, user: applicant })
      .from(table)
      .innerJoin(users, eq(users.id, table.userId))
      .where(where);

  return {
    async find(id: string): Promise<Application | undefined> {
      const [row] = await db.select().from(table).where(eq(table.id, id));
      return row;
    },
    async get(id: string): Promise<Submission> {
      const [row] = await submissions(eq(table.id, id));
      if (!row) throw new ApplicationNotFound();
      return { ...row.application, user: row.user };
    },
    /** Returns undefined if the applicant already has a pending application. */
    async insert(application: NewApplication): Promise<Application | undefined> {
      const [row] = await db.insert(table).values(application).onConflictDoNothing().returning();
      return row;
    },
    /** Changes the status of a pending application. Returns undefined if it is not pending, for example after a concurrent decision. */
    async decide(id: string, decision: Decision): Promise<Application | undefined> {
      const [row] = await db
        .update(table)
        .set(decision)
        .where(and(eq(table.id, id), eq(table.status, 'PENDING')))
        .returning();
      return row;
    },
    listPending: (userId: string): Promise<Application[]> =>
      db
        .select()
        .from(table)
        .where(and(eq(table.userId, userId), eq(table.status, 'PENDING'))),
    clearTexts: (userId: string) =>
      db
        .update(table)
        .set({ motivation: null, experience: null, qualifications: null, reviewNote: null })
        .where(eq(table.userId, userId)),
    listByUser: (userId: string): Promise<Application[]> =>
      db.select().from(table).where(eq(table.userId, userId)).orderBy(desc(table.createdAt), desc(table.id)),

    async list(query: ApplicationQuery): Promise<{ items: Submission[]; total: number }> {
      const where = and(
        query.status && eq(table.status, query.status),
        query.userId === undefined ? undefined : eq(table.userId, query.userId),
        matchesSearch(db, query),
        ...inDateRange(query, table),
      );
      const order = orderByColumns(query, { createdAt: table.createdAt }, table.id);
      const { items, total } = await readPageById(db, query, { table, where, order }, submissions);
      return { items: items.map(({ application, user }) => ({ ...application, user })), total };
    },
  };
};
