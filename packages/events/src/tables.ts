import type { Changes } from '@lms/contracts/events/definition';
import { id, instant } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';

/** Events that are not yet published, and those of the last seven days. Written in the transaction of the change. */
export const outbox = pgTable(
  'outbox',
  {
    id: id(),
    /** Assigned while the aggregate's version row is locked, so an aggregate's events are in the order of their versions. */
    ordinal: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    type: text().notNull(),
    aggregateId: text().notNull(),
    version: integer().notNull(),
    data: jsonb().$type<unknown>().notNull(),
    changes: jsonb().$type<Changes>(),
    actorId: text(),
    requestId: text(),
    traceparent: text(),
    createdAt: instant().notNull().defaultNow(),
    publishedAt: instant(),
  },
  (table) => [
    index('outbox_unpublished').on(table.ordinal).where(sql`published_at is null`),
    index('outbox_published').on(table.publishedAt).where(sql`published_at is not null`),
  ],
);

/** The last version of each aggregate. */
export const aggregateVersions = pgTable('aggregate_versions', {
  aggregateId: text().primaryKey(),
  version: integer().notNull(),
});

/** The events that a consumer has handled, so that a redelivery has no effect. */
export const inbox = pgTable(
  'inbox',
  { consumer: text().notNull(), eventId: text().notNull(), receivedAt: instant().notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.consumer, table.eventId] }), index('inbox_received').on(table.receivedAt)],
);

/** Events whose handler kept failing, stored until an operator replays them. */
export const deadLetters = pgTable(
  'dead_letters',
  {
    id: id(),
    consumer: text().notNull(),
    eventId: text().notNull(),
    subject: text().notNull(),
    body: text().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    error: text().notNull(),
    attempts: integer().notNull(),
    createdAt: instant().notNull().defaultNow(),
    replayedAt: instant(),
  },
  (table) => [uniqueIndex('dead_letters_waiting').on(table.consumer, table.eventId).where(sql`replayed_at is null`)],
);
