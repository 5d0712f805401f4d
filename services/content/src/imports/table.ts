import { id, instant, timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { importFormats } from '../curriculum/formats.ts';
import type { Issue } from '../curriculum/read-items.ts';
import { kindNames } from '../hierarchy/table.ts';

export const importModes = ['create', 'upsert', 'mirror'] as const;
export type ImportMode = (typeof importModes)[number];
export const importStatuses = ['queued', 'checking', 'importing', 'completed', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof importStatuses)[number];

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  media: number;
}
export const noCounts: ImportCounts = { created: 0, updated: 0, unchanged: 0, deleted: 0, media: 0 };

/** One row per import. */
export const imports = pgTable(
  'imports',
  {
    id: id(),
    status: text({ enum: importStatuses }).notNull().default('queued'),
    mode: text({ enum: importModes }).notNull(),
    dryRun: boolean().notNull(),
    format: text({ enum: importFormats }).notNull(),
    fileName: text().notNull(),
    /** The file in the media service; null after the import has ended. */
    fileId: text(),
    size: bigint({ mode: 'number' }).notNull(),
    percent: integer().notNull().default(0),
    counts: jsonb().$type<ImportCounts>().notNull().default(noCounts),
    /** The first thousand. */
    issues: jsonb().$type<Issue[]>().notNull().default([]),
    issueCount: integer().notNull().default(0),
    createdBy: text().notNull(),
    requestId: text().notNull(),
    isCancelRequested: boolean().notNull().default(false),
    /** When another process may continue it. */
    dueAt: instant().notNull().defaultNow(),
    /** Identifies the attempt that is running. */
    leaseId: text(),
    attempts: integer().notNull().default(0),
    finishedAt: instant(),
    ...timestamps,
  },
  (table) => [
    index('imports_by_creation').on(table.createdAt, table.id),
    index('imports_due').on(table.dueAt).where(sql`status in ('queued', 'checking', 'importing')`),
  ],
);
export type Import = typeof imports.$inferSelect;

/** The items of a file while they are checked and written; the rows of an import are deleted with its transaction. */
export const importItems = pgTable(
  'import_items',
  {
    importId: text()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    parent: integer(),
    kind: text({ enum: kindNames }).notNull(),
    location: text().notNull(),
    fields: jsonb().$type<Record<string, unknown>>().notNull(),
    defaults: jsonb().$type<Record<string, unknown>>().notNull(),
    listsChildren: boolean().notNull(),
    /** The node that it updates; null for one that it creates. */
    nodeId: text(),
    /** The id of the node if it is created. */
    newId: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.number] }),
    index('import_items_parent').on(table.importId, table.parent),
    index('import_items_kind').on(table.importId, table.kind, table.number),
    index('import_items_node').on(table.importId, table.nodeId),
  ],
);

export const mediaKinds = [
  'video',
  'captions',
  'document',
  'remove-video',
  'prune-captions',
  'prune-documents',
] as const;

/** The files that an import still stores, in their order. */
export const importMedia = pgTable(
  'import_media',
  {
    importId: text()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    topicId: text().notNull(),
    location: text().notNull(),
    kind: text({ enum: mediaKinds }).notNull(),
    entry: jsonb().$type<Record<string, unknown>>().notNull(),
    isDone: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.importId, table.number] })],
);
export type ImportMedia = typeof importMedia.$inferSelect;
