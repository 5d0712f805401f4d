import type { ErrorCode } from '@lms/contracts/errors';
import type { Role } from '@lms/contracts/passport';
import { id, instant } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { AttachableKind } from '../table.ts';

/** What can be uploaded in pieces. */
export const uploadKinds = ['video', 'document'] as const satisfies AttachableKind[];

/**
 * receiving: bytes are missing · received: all bytes are stored, the file has to be attached · finished: attached ·
 * failed: rejected for good · terminated: to be deleted.
 */
export const uploadStatuses = ['receiving', 'received', 'finished', 'failed', 'terminated'] as const;

/** What the result of an upload responds with: the data of the multipart route, or an error. */
export interface UploadResult {
  statusCode: number;
  data?: object;
  error?: { code: ErrorCode; message: string; details?: unknown };
}

/** One row per resumable upload, with what another process needs to continue it. */
export const resumableUploads = pgTable(
  'resumable_uploads',
  {
    id: id(),
    kind: text({ enum: uploadKinds }).notNull(),
    status: text({ enum: uploadStatuses }).notNull().default('receiving'),
    userId: text().notNull(),
    topicId: text().notNull(),
    fileName: text().notNull(),
    name: text().notNull().default(''),
    description: text().notNull().default(''),
    /** The header `Upload-Metadata` as the client sent it. */
    metadata: text().notNull().default(''),
    length: bigint({ mode: 'number' }).notNull(),
    /** How many bytes are durable: the offset in the protocol. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** The request that writes or finishes the upload: no other may while its lease lasts. */
    holder: text(),
    leaseUntil: instant().notNull().defaultNow(),
    /** Of the user who sent the last bytes, for the internal request with which content attaches the file. */
    passport: text(),
    roles: jsonb().$type<Role[]>().notNull().default([]),
    result: jsonb().$type<UploadResult>(),
    /** A response has informed the gateway that the upload counts. */
    isCounted: boolean().notNull().default(false),
    /** When the reaper tries to finish a received upload. */
    dueAt: instant().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('resumable_uploads_user').on(table.userId),
    index('resumable_uploads_topic').on(table.topicId),
    index('resumable_uploads_expiry').on(table.expiresAt),
    index('resumable_uploads_due').on(table.dueAt).where(sql`status = 'received'`),
  ],
);
export type ResumableUpload = typeof resumableUploads.$inferSelect;

/** The stored pieces of an upload: each row is inserted before its object, and deleted after it. */
export const uploadParts = pgTable(
  'upload_parts',
  {
    /** The name in storage. */
    key: text().primaryKey(),
    uploadId: text()
      .notNull()
      .references(() => resumableUploads.id),
    /** Both null while the piece is being stored. */
    start: bigint({ mode: 'number' }),
    size: bigint({ mode: 'number' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index('upload_parts_upload').on(table.uploadId, table.start)],
);
