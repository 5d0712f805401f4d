import { type Role, roles as roleNames } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  orderByColumns,
  readPage,
  type SortRequest,
} from '@lms/database/paging';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { userRoles as table, users } from './table.ts';

export type UserRoleRow = typeof table.$inferSelect;

export interface RoleQuery extends SortRequest<'effectiveStartDate'>, DateRange {
  search?: string;
  role?: Role;
  isActive?: boolean;
}

// The key is arbitrary. Transactions that reduce the number of active admins take this lock one after the other.
const adminsLockKey = 4_217_061_910;

/** Every role except LEARNER: only admins assign these. */
const grantedRoles = roleNames.filter((role) => role !== 'LEARNER');

export const roleAssignments = (db: Db) => {
  const end = (userId: string, roles: readonly Role[], at = new Date()): Promise<UserRoleRow[]> =>
    db
      .update(table)
      .set({ isActive: false, effectiveEndDate: at })
      .where(and(eq(table.userId, userId), table.isActive, inArray(table.role, roles)))
      .returning();

  return {
    end,
    endAll: (userId: string) => end(userId, roleNames),
    endGranted: (userId: string) => end(userId, grantedRoles),
    /** Starts an assignment; an active one of the same role ends at the same instant. The user's row must be locked. */
    async start({
      userId,
      role,
      assignedBy,
    }: Pick<UserRoleRow, 'userId' | 'role' | 'assignedBy'>): Promise<UserRoleRow> {
      const now = new Date();
      await end(userId, [role], now);
      const [row] = await db.insert(table).values({ userId, role, assignedBy, effectiveStartDate: now }).returning();
      if (!row) throw new Error('the assignment was not stored');
      return row;
    },
    lockAdmins: () => db.execute(sql`select pg_advisory_xact_lock(${adminsLockKey})`),
    /** Counts active admins without this user and without provisional accounts, which cannot sign in yet. */
    countOtherAdmins: (userId: string) =>
      db.$count(
        db
          .select({ id: users.id })
          .from(table)
          .innerJoin(users, eq(users.id, table.userId))
          .where(
            and(
              eq(table.role, 'ADMIN'),
              table.isActive,
              eq(users.status, 'ACTIVE'),
              eq(users.isProvisional, false),
              ne(users.id, userId),
            ),
          )
          .as('admins'),
      ),
    async listActiveRoles(userId: string): Promise<Role[]> {
      const rows = await db
        .select({ role: table.role })
        .from(table)
        .where(and(eq(table.userId, userId), table.isActive));
      const active = rows.map(({ role }) => role);
      return roleNames.filter((role) => active.includes(role));
    },

    async list(userId: string, query: RoleQuery): Promise<{ items: UserRoleRow[]; total: number }> {
      const where = and(
        eq(table.userId, userId),
        query.role && eq(table.role, query.role),
        query.isActive === undefined ? undefined : eq(table.isActive, query.isActive),
        containsText(query.search, table.role, table.assignedBy),
        ...inDateRange(query, {
          createdAt: table.effectiveStartDate,
          updatedAt: sql`greatest(${table.effectiveStartDate}, ${table.effectiveEndDate})`,
        }),
      );
      const ordered = db
        .select()
        .from(table)
        .where(where)
        .orderBy(...orderByColumns(query, table, table.id));
      return readPage(query, ordered, db.$count(table, where));
    },
  };
};
