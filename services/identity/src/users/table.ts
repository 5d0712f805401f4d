import { plans, userStatuses } from '@lms/contracts/passport';
import { id, instant, timestamps } from '@lms/database/columns';
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';

/** People, as the identity provider and our admins know them. */
export const users = pgTable(
  'users',
  {
    id: id(),
    /** Null once anonymized. */
    identityProviderId: text(),
    /** In NFC and lower case. */
    email: text().notNull(),
    emailVerified: boolean().notNull(),
    /** SHA-256, in hex, of e-mails they had before: when they are anonymized, other services remove those too. */
    formerEmailHashes: text().array().notNull().default([]),
    firstName: text(),
    lastName: text(),
    status: text({ enum: userStatuses }).notNull().default('ACTIVE'),
    statusReason: text(),
    plan: text({ enum: plans }).notNull(),
    /** Announced by an anonymous hint: does not count until the provider or one of its tokens confirms it. */
    isProvisional: boolean().notNull().default(false),
    /** Which of the provider's states was applied last; it orders its webhooks. */
    providerRevision: text(),
    /** When the names were last changed here: what the provider said before that doesn't undo it. */
    namesEditedAt: instant(),
    /** When the provider deleted the account. */
    deletedAt: instant(),
    anonymizedAt: instant(),
    /** What a search looks through, in lower case whatever the database's locale. */
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
    index('users_plan').on(table.plan, table.createdAt, table.id),
  ],
);

/** Provider ids whose account is gone for good, hashed: late webhooks and tokens don't revive them. */
export const departures = pgTable('departures', {
  identityHash: text().primaryKey(),
  departedAt: instant().notNull().defaultNow(),
});
