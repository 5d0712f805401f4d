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
    /** The event's sequence in the stream. Null if it is unpublished, too large, or was published before this column existed. */
    streamSequence: bigint({ mode: 'number' }),
  },
  (table) => [
    index('outbox_unpublished').on(table.ordinal).where(sql`published_at is null`),
    index('outbox_published').on(table.publishedAt).where(sql`published_at is not null`),
    index('outbox_stream_sequence').on(table.streamSequence).where(sql`stream_sequence is not null`),
  ],
);

/** The last version of each aggregate. */
export const aggregateVersions = pgTable('aggregate_versions', {
  aggregateId: text().primaryKey(),
  version: integer().notNull(),
});

/**
 * The restores of this database after which its events continue with higher versions. The versions of epoch n are those
 * above n million, so that consumers accept them whatever they received from the lost history.
 */
export const eventEpochs = pgTable('event_epochs', {
  epoch: integer().primaryKey(),
  /** The last sequence of the stream whose events the restored database may lack. */
  streamSequence: bigint({ mode: 'number' }),
  startedAt: instant().notNull().defaultNow(),
});

/** The events that were delivered to a consumer, so that a redelivery has no effect. */
export const inbox = pgTable(
  'inbox',
  {
    consumer: text().notNull(),
    eventId: text().notNull(),
    receivedAt: instant().notNull().defaultNow(),
    /** The event's sequence in the stream. */
    streamSequence: bigint({ mode: 'number' }),
    aggregateId: text(),
    version: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.consumer, table.eventId] }),
    index('inbox_received').on(table.receivedAt),
    index('inbox_sequences').on(table.consumer, table.streamSequence),
    // Two events with one version: the publisher's database was restored to an earlier moment.
    uniqueIndex('inbox_versions').on(table.consumer, table.aggregateId, table.version),
  ],
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

/**
 * People whose data was erased, for as long as the stream can contain events from before. Identifiers are stored as SHA-256
 * hashes in hex.
 */
export const erasures = pgTable('erasures', {
  /** The aggregate id of the person's own events. */
  id: text().primaryKey(),
  /** An identifier that no one gets again. */
  uniqueHash: text().notNull(),
  /** Identifiers that another person may have got since. */
  otherHashes: text().array().notNull(),
  erasedAt: instant().notNull().defaultNow(),
  /** When the stream contained no event with the unique identifier any more. */
  streamErasedAt: instant(),
});
