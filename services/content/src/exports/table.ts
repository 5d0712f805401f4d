import { id, instant, timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { kindNames } from '../hierarchy/table.ts';

export const exportFormats = ['json', 'zip', 'csv', 'imscc'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const exportStatuses = ['queued', 'running', 'completed', 'failed'] as const;

/** Exports: what was requested, how far it is, and the file that came out of it. */
export const exportJobs = pgTable(
  'exports',
  {
    id: id(),
    format: text({ enum: exportFormats }).notNull(),
    /** Null for the whole curriculum. */
    rootType: text({ enum: kindNames }),
    rootId: text(),
    includeMedia: boolean().notNull(),
    status: text({ enum: exportStatuses }).notNull().default('queued'),
    percent: integer().notNull().default(0),
    error: text(),
    /** The file of the current attempt, or the result. Each attempt writes another. */
    fileId: text(),
    size: bigint({ mode: 'number' }),
    checksum: text(),
    attempts: integer().notNull().default(0),
    /** While it runs: when another process may take it over. While it waits: when it may be tried again. */
    leaseUntil: instant(),
    createdBy: text().notNull(),
    finishedAt: instant(),
    /** When the result is removed. */
    expiresAt: instant(),
    ...timestamps,
  },
  (table) => [
    index('exports_by_creation').on(table.createdAt, table.id),
    index('exports_due').on(table.createdAt).where(sql`status in ('queued', 'running')`),
  ],
);
