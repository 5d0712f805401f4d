import { plans, roles, userStatuses } from '@lms/contracts/passport';
import { id, instant, timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';

/**
 * The form in which names and e-mails are searched. In lower case, a capital sigma is another letter at the end of a word, and a capital I
 * with a dot is an i with a combining dot.
 */
export const foldCase = (text: string) => text.toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');

/** Users, as the identity provider and admins describe them. */
export const users = pgTable(
  'users',
  {
    id: id(),
    /** Null once the user is anonymized. */
    identityProviderId: text(),
    /** In Unicode NFC and lower case. */
    email: text().notNull(),
    emailVerified: boolean().notNull(),
    /** SHA-256 in hex of former e-mails, so that anonymizing removes them from other services as well. */
    formerEmailHashes: text().array().notNull().default([]),
    firstName: text(),
    lastName: text(),
    status: text({ enum: userStatuses }).notNull().default('ACTIVE'),
    statusReason: text(),
    plan: text({ enum: plans }).notNull(),
    /** Created by an unauthenticated hint. Cannot sign in until the provider or one of its tokens confirms the account. */
    isProvisional: boolean().notNull().default(false),
    /** Identifies the provider's state that was applied last; webhooks are ordered by it. */
    providerRevision: text(),
    /** When the names were last edited in this service. Older states from the provider do not overwrite them. */
    namesEditedAt: instant(),
    /** When the provider deleted the account. */
    deletedAt: instant(),
    anonymizedAt: instant(),
    /** The text that `search` matches. Folded here, because the database's locale may differ. */
    searchText: text().notNull(),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('users_identity_provider_id').on(table.identityProviderId),
    uniqueIndex('users_email').on(table.email),
    index('users_search').using('gin', table.searchText.op('gin_trgm_ops')),
    index('users_created').on(table.createdAt, table.id),
    index('users_updated').on(table.updatedAt, table.id),
    index('users_first_name').on(table.firstName, table.id),
    index('users_last_name').on(table.lastName, table.id),
    index('users_status').on(table.status, table.createdAt, table.id),
    index('users_anonymized').on(table.id).where(sql`anonymized_at is not null`),
    index('users_plan').on(table.plan, table.createdAt, table.id),
  ],
);

/** Hashed provider ids of deleted accounts. Late webhooks and tokens do not recreate these accounts. */
export const departures = pgTable('departures', {
  identityHash: text().primaryKey(),
  departedAt: instant().notNull().defaultNow(),
});

/** Role assignments, active and ended. */
export const userRoles = pgTable(
  'user_roles',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: roles }).notNull(),
    isActive: boolean().notNull().default(true),
    /** Null if the service assigned the role itself. */
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
