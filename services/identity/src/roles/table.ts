import { roles } from '@lms/contracts/passport';
import { id, instant } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../users/table.ts';

/** Who holds which role, and who held it when. */
export const userRoles = pgTable(
  'user_roles',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: roles }).notNull(),
    isActive: boolean().notNull().default(true),
    /** Null where the service assigned it by itself. */
    assignedBy: text(),
    effectiveStartDate: instant().notNull().defaultNow(),
    effectiveEndDate: instant(),
  },
  (table) => [
    uniqueIndex('user_roles_one_active').on(table.userId, table.role).where(sql`is_active`),
    index('user_roles_user').on(table.userId, table.effectiveStartDate),
    index('user_roles_role').on(table.role, table.userId).where(sql`is_active`),
  ],
);
