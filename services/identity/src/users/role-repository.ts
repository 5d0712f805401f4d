import { type Role, roles as roleNames } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  limitAndOffset,
  orderByColumns,
  type SortRequest,
} from '@lms/database/paging';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { userRoles as table } from '../roles/table.ts';
import { users } from './table.ts';

export type Assignment = typeof table.$inferSelect;

export interface HistoryQuery extends SortRequest<'effectiveStartDate'>, DateRange {
  search?: string;
  role?: Role;
  isActive?: boolean;
}

// Any number will do: it stands for "the active admins", whom only one transaction at a time may make fewer.
const adminsLock = 4_217_061_910;

export const assignments = (db: Db) => {
  const end = (userId: string, ended: readonly Role[], at: Date): Promise<Assignment[]> =>
    db
      .update(table)
      .set({ isActive: false, effectiveEndDate: at })
      .where(and(eq(table.userId, userId), table.isActive, inArray(table.role, ended)))
      .returning();

  return {
    end,
    /** Starts an assignment, ending an active one of the same role at the same instant. The user's row must be locked. */
    async start({ userId, role, assignedBy }: Pick<Assignment, 'userId' | 'role' | 'assignedBy'>): Promise<Assignment> {
      const now = new Date();
      await end(userId, [role], now);
      const [row] = await db.insert(table).values({ userId, role, assignedBy, effectiveStartDate: now }).returning();
      if (!row) throw new Error('the assignment was not stored');
      return row;
    },
    lockAdmins: () => db.execute(sql`select pg_advisory_xact_lock(${adminsLock})`),
    /** The active admins besides one. Who is known from a hint alone has no account to come in with. */
    countAdminsBesides: (userId: string) =>
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
    async activeRoles(userId: string): Promise<Role[]> {
      const rows = await db
        .select({ role: table.role })
        .from(table)
        .where(and(eq(table.userId, userId), table.isActive));
      const held = rows.map(({ role }) => role);
      return roleNames.filter((role) => held.includes(role));
    },

    async list(userId: string, query: HistoryQuery): Promise<{ items: Assignment[]; total: number }> {
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
      const { limit, offset } = limitAndOffset(query);
      const [items, total] = await Promise.all([
        db
          .select()
          .from(table)
          .where(where)
          .orderBy(...orderByColumns(query, table, table.id))
          .limit(limit)
          .offset(offset),
        db.$count(table, where),
      ]);
      return { items, total };
    },
  };
};
