import type { Db } from '@lms/database/connect';
import { and, asc, count, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { AttachableKind } from '../table.ts';
import { uploadParts as parts, type ResumableUpload, resumableUploads as table, type UploadResult } from './table.ts';

type New = Pick<
  ResumableUpload,
  'kind' | 'userId' | 'topicId' | 'fileName' | 'name' | 'description' | 'metadata' | 'length'
>;
/** What identifies an upload of a user. The topic is part of the path of videos only. */
export interface UploadId {
  id: string;
  kind: AttachableKind;
  userId: string;
  topicId?: string | undefined;
}
/** The passport of a user, and the roles that an error would name. */
export type StoredPassport = Pick<ResumableUpload, 'passport' | 'roles'>;
export interface StoredPart {
  key: string;
  size: number;
}

/** A process that is killed blocks its uploads for this long. */
const leaseSeconds = 10;
const lifetimeSeconds = 24 * 3_600;
/** By then, the request with the last bytes has begun to finish the upload. */
const finishSeconds = 15;
/** A piece is open for seconds, and storage has two minutes to store it: after this time, only a holder appends it. */
const abandonedSeconds = 240;

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
const isFree = or(isNull(table.holder), lte(table.leaseUntil, sql`now()`));
const release = { holder: null, leaseUntil: sql`now()` };

export const uploadRepository = (db: Db) => {
  const change = async (values: PgUpdateSetSource<typeof table>, ...conditions: (SQL | undefined)[]) =>
    (
      await db
        .update(table)
        .set(values)
        .where(and(...conditions))
        .returning()
    )[0];
  const heldBy = (id: string, holder: string) => and(eq(table.id, id), eq(table.holder, holder));
  const matches = ({ id, kind, userId, topicId }: UploadId) =>
    and(
      eq(table.id, id),
      eq(table.kind, kind),
      eq(table.userId, userId),
      ne(table.status, 'terminated'),
      sql`${table.expiresAt} > now()`,
      topicId === undefined ? undefined : eq(table.topicId, topicId),
    );
  const terminate = (...conditions: (SQL | undefined)[]) =>
    db
      .update(table)
      .set({ status: 'terminated', passport: null, ...release })
      .where(and(ne(table.status, 'terminated'), ...conditions))
      .returning({ id: table.id, result: table.result });

  return {
    insert: async (upload: New): Promise<ResumableUpload> => {
      const values = { ...upload, expiresAt: inSeconds(lifetimeSeconds) };
      const [inserted] = await db.insert(table).values(values).returning();
      if (!inserted) throw new Error('no row was returned');
      return inserted;
    },
    find: async (upload: UploadId) => (await db.select().from(table).where(matches(upload)))[0],
    /** Call it within a transaction: no other request creates an upload of the user until that ends. */
    lockUser: (userId: string) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 0))`),
    /** The unfinished uploads of a user, oldest first. */
    listUnfinished: (userId: string) =>
      db
        .select()
        .from(table)
        .where(and(eq(table.userId, userId), inArray(table.status, ['receiving', 'received'])))
        .orderBy(asc(table.createdAt), asc(table.id)),

    /** Gives the upload to a holder, if it has this status and no other holder. */
    acquire: (id: string, holder: string, status: 'receiving' | 'received') =>
      change({ holder, leaseUntil: inSeconds(leaseSeconds) }, eq(table.id, id), eq(table.status, status), isFree),
    renew: (id: string, holder: string) => change({ leaseUntil: inSeconds(leaseSeconds) }, heldBy(id, holder)),
    release: (id: string, holder: string) => change(release, heldBy(id, holder)),
    isHeld: async (id: string) =>
      (
        await db
          .select()
          .from(table)
          .where(and(eq(table.id, id), sql`not ${isFree}`))
      ).length > 0,

    /** Returns false if the upload was terminated and removed. */
    addPart: async (uploadId: string, key: string): Promise<boolean> => {
      const upload = db
        .select({ key: sql`${key}`, uploadId: table.id })
        .from(table)
        .where(eq(table.id, uploadId));
      const added = await db.execute(sql`
        insert into ${parts} (key, upload_id) ${upload.for('key share').getSQL()} returning 1`);
      return added.length > 0;
    },
    /**
     * Appends stored pieces, after which they are durable. Returns undefined if the holder has lost the upload to another
     * request, or if it was terminated.
     */
    append: (id: string, holder: string, stored: StoredPart[], passport: StoredPassport) =>
      db.transaction(async (tx) => {
        const size = stored.reduce((sum, part) => sum + part.size, 0);
        const received = sql`${table.received} + ${size}`;
        const isWhole = sql`${table.received} + ${size} = ${table.length}`;
        const [upload] = await tx
          .update(table)
          .set({
            ...passport,
            dueAt: inSeconds(finishSeconds),
            received,
            status: sql`case when ${isWhole} then 'received' else 'receiving' end`,
            expiresAt: inSeconds(lifetimeSeconds),
            leaseUntil: inSeconds(leaseSeconds),
          })
          .where(and(heldBy(id, holder), eq(table.status, 'receiving')))
          .returning();
        let start = (upload?.received ?? 0) - size;
        for (const part of upload ? stored : []) {
          await tx.update(parts).set({ start, size: part.size }).where(eq(parts.key, part.key));
          start += part.size;
        }
        return upload;
      }),
    listParts: (uploadId: string) =>
      db
        .select({ key: parts.key })
        .from(parts)
        .where(and(eq(parts.uploadId, uploadId), isNotNull(parts.size)))
        .orderBy(asc(parts.start)),
    deletePart: async (key: string) => {
      await db.delete(parts).where(eq(parts.key, key));
    },
    listPartKeys: async (keys: string[]) =>
      (await db.select({ key: parts.key }).from(parts).where(inArray(parts.key, keys))).map(({ key }) => key),

    /** Stores with whose passport the upload is to be finished. */
    setPassport: (id: string, passport: StoredPassport) =>
      change(passport, eq(table.id, id), eq(table.status, 'received')),
    postpone: (id: string, seconds: number) =>
      change({ dueAt: inSeconds(seconds), attempts: sql`${table.attempts} + 1` }, eq(table.id, id)),
    end: (id: string, status: 'finished' | 'failed', result: UploadResult) =>
      change(
        { status, result, passport: null, expiresAt: inSeconds(lifetimeSeconds), ...release },
        eq(table.id, id),
        eq(table.status, 'received'),
      ),
    /** Marks the user's finished uploads as counted. @returns the ids of those that were not, to one caller */
    countFinished: async (userId: string): Promise<string[]> =>
      (
        await db
          .update(table)
          .set({ isCounted: true })
          .where(and(eq(table.userId, userId), eq(table.status, 'finished'), eq(table.isCounted, false)))
          .returning({ id: table.id })
      ).map(({ id }) => id),
    uncount: async (ids: string[]) => {
      await db.update(table).set({ isCounted: false }).where(inArray(table.id, ids));
    },

    /** Fails while the upload is being finished. */
    terminate: (upload: UploadId) => terminate(matches(upload), or(ne(table.status, 'received'), isFree)),
    terminateByUser: (userId: string) => terminate(eq(table.userId, userId)),
    terminateByTopic: (topicId: string) => terminate(eq(table.topicId, topicId)),
    terminateExpired: () => terminate(lte(table.expiresAt, sql`now()`), isFree),

    /** For how many seconds the oldest has not received bytes; its expiry was set with the last ones. */
    countUnfinished: () =>
      db
        .select({
          status: table.status,
          uploads: count(),
          seconds: sql<number>`greatest(0, ${lifetimeSeconds} - extract(epoch from min(${table.expiresAt}) - now()))::float`,
        })
        .from(table)
        .where(inArray(table.status, ['receiving', 'received']))
        .groupBy(table.status),
    /** The bytes of stored pieces by the status of their upload. */
    sumParts: () =>
      db
        .select({ status: table.status, size: sql<number>`sum(${parts.size})::float` })
        .from(parts)
        .innerJoin(table, eq(table.id, parts.uploadId))
        .where(isNotNull(parts.size))
        .groupBy(table.status),

    /** Received uploads that no process finishes. */
    listDue: (limit: number) =>
      db
        .select()
        .from(table)
        .where(and(eq(table.status, 'received'), lte(table.dueAt, sql`now()`), isFree))
        .orderBy(asc(table.dueAt))
        .limit(limit),
    /** A request whose lease has ended cannot append what it has stored any more. */
    endLeases: async () => {
      await db
        .update(table)
        .set(release)
        .where(and(isNotNull(table.holder), lte(table.leaseUntil, sql`now()`)));
    },
    /** Pieces of ended uploads, and pieces that were never appended. */
    listUnneededParts: (limit: number) =>
      db
        .select({ key: parts.key })
        .from(parts)
        .innerJoin(table, eq(table.id, parts.uploadId))
        .where(
          or(
            and(isNotNull(parts.size), inArray(table.status, ['finished', 'failed', 'terminated'])),
            and(isNull(parts.size), isNull(table.holder), lte(parts.createdAt, inSeconds(-abandonedSeconds))),
          ),
        )
        .limit(limit),
    deleteTerminated: async () => {
      const partsOfUpload = db.select({ key: parts.key }).from(parts).where(eq(parts.uploadId, table.id));
      await db.delete(table).where(and(eq(table.status, 'terminated'), sql`not exists ${partsOfUpload}`));
    },
  };
};
