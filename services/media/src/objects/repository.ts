import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { unavailable } from '@lms/service/problems';
import { and, asc, eq, gt, inArray, isNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type Kind, type StoredObject, objects as table } from './table.ts';

export type NewObject = Pick<StoredObject, 'id' | 'kind' | 'key' | 'fileName' | 'uploadedBy'> &
  Partial<Pick<StoredObject, 'topicId' | 'derivedFrom'>>;
export type FileProperties = Pick<StoredObject, 'size' | 'checksum' | 'mimeType'>;

/** The reaper skips objects with a current lease. */
const leaseSeconds = 60;
// Only one process at a time claims due objects.
const reaperLockId = 4_217_061_908;

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
const readable = inArray(table.status, ['ready', 'removing']);

/** Also those that content may already show: only content discloses the random key. */
const readableWithKey = inArray(table.status, ['offered', 'ready', 'removing']);

const prepareFind = (name: string, ...conditions: SQL[]) =>
  prepared(name, (db) =>
    db
      .select()
      .from(table)
      .where(and(...conditions)),
  );
const hasKind = eq(table.kind, sql.placeholder('kind'));
const hasTopic = eq(table.topicId, sql.placeholder('topicId'));
const readableByKey = prepareFind('readable_by_key', eq(table.key, sql.placeholder('key')), readableWithKey);
const readableOfTopic = prepareFind('readable_of_topic', hasTopic, hasKind, readable);

const discarded = { status: 'discarded', passport: null, dueAt: sql`now()`, attempts: 0 } as const;

const propertiesOf = ({ size, checksum, mimeType }: FileProperties) => ({ size, checksum, mimeType });

export const objectRepository = (db: Db) => {
  const change = async (values: PgUpdateSetSource<typeof table>, ...conditions: SQL[]) =>
    (
      await db
        .update(table)
        .set(values)
        .where(and(...conditions))
        .returning()
    )[0];

  const discard = (id: string) => change(discarded, eq(table.id, id), ne(table.status, 'discarded'));

  return {
    insert: async (object: NewObject) => {
      await db.insert(table).values({ ...object, dueAt: inSeconds(leaseSeconds) });
    },
    setMultipartId: (id: string, multipartId: string) => change({ multipartId }, eq(table.id, id)),
    renewLeases: async (ids: string[]) => {
      const inProgress = inArray(table.status, ['receiving', 'offered']);
      await db
        .update(table)
        .set({ dueAt: inSeconds(leaseSeconds) })
        .where(and(inArray(table.id, ids), inProgress));
    },

    findReadableByKey: async (key: string) => (await readableByKey(db).execute({ key }))[0],
    /** An object of a topic that is not discarded. */
    find: async (id: string, kind: Kind, topicId: string) =>
      (
        await db
          .select()
          .from(table)
          .where(and(eq(table.id, id), eq(table.kind, kind), eq(table.topicId, topicId), ne(table.status, 'discarded')))
      )[0],
    findVideo: async (topicId: string) => (await readableOfTopic(db).execute({ topicId, kind: 'video' }))[0],
    findJobFile: async (id: string) =>
      (
        await db
          .select()
          .from(table)
          .where(and(eq(table.id, id), eq(table.kind, 'job-file'), eq(table.status, 'ready')))
      )[0],
    /** Makes a stored file of an import or export readable. Returns undefined if the reaper has discarded it. */
    keepUntil: ({ id, ...properties }: FileProperties & { id: string }, expiresAt: Date) =>
      change(
        { ...propertiesOf(properties), status: 'ready', multipartId: null, expiresAt, uploadedAt: new Date() },
        eq(table.id, id),
        eq(table.status, 'receiving'),
      ),
    discardJobFile: (id: string) =>
      change(discarded, eq(table.id, id), eq(table.kind, 'job-file'), ne(table.status, 'discarded')),
    discardExpired: () =>
      change({ ...discarded, expiresAt: null }, lte(table.expiresAt, sql`now()`), eq(table.status, 'ready')),
    listUploadedBy: (userId: string) =>
      db
        .select()
        .from(table)
        .where(and(eq(table.uploadedBy, userId), readable))
        .orderBy(asc(table.uploadedAt), asc(table.id)),

    /** Returns undefined if the reaper has discarded the object. */
    markOffered: (id: string, values: FileProperties & Pick<StoredObject, 'topicId' | 'name' | 'description'>) =>
      change(
        { ...values, status: 'offered', multipartId: null, uploadedAt: new Date(), dueAt: inSeconds(leaseSeconds) },
        eq(table.id, id),
        eq(table.status, 'receiving'),
      ),
    /** Makes an object readable once content has attached it. */
    finalize: async (id: string, values: Partial<Pick<StoredObject, 'uploadedAt'>> = {}) => {
      const finalized = await change({ ...values, status: 'ready' }, eq(table.id, id), eq(table.status, 'offered'));
      if (!finalized) throw unavailable(new Error(`Object ${id} was discarded while content attached it`));
    },
    markRemoving: (id: string) =>
      change({ status: 'removing', dueAt: inSeconds(leaseSeconds) }, eq(table.id, id), readable),
    /** For a removal that content denied. */
    cancelRemoval: (id: string) =>
      change({ status: 'ready', passport: null, attempts: 0 }, eq(table.id, id), eq(table.status, 'removing')),
    /** Leaves an object to the reaper, but not before this many seconds have passed. */
    postpone: (id: string, seconds: number) =>
      change({ dueAt: inSeconds(seconds) }, eq(table.id, id), ne(table.status, 'ready')),
    discard,
    /** Discards an object that was not finalized. */
    discardReceiving: (id: string) => change(discarded, eq(table.id, id), eq(table.status, 'receiving')),
    describeDerived: (id: string, values: FileProperties) =>
      change(values, eq(table.id, id), eq(table.status, 'receiving')),
    /** Makes derived objects readable. Throws if one of them was discarded because its lease had ended. */
    finalizeDerived: async (ids: string[]) => {
      const finalized = await db
        .update(table)
        .set({ status: 'ready', multipartId: null, uploadedAt: new Date() })
        .where(and(inArray(table.id, ids), eq(table.status, 'receiving')))
        .returning({ id: table.id });
      if (finalized.length !== ids.length) throw new Error('A derived object was discarded before it was finalized');
    },
    /** Discards what was derived from a video. What a worker is still storing is left to that worker and to its lease. */
    discardDerived: async (videoId: string) => {
      await db
        .update(table)
        .set(discarded)
        .where(and(eq(table.derivedFrom, videoId), eq(table.status, 'ready')));
    },

    listKeys: async (keys: string[]) =>
      (await db.select({ key: table.key }).from(table).where(inArray(table.key, keys))).map(({ key }) => key),
    /** Readable objects in the order of their ids, after this one. */
    listReadableAfter: (id: string, limit: number) =>
      db
        .select()
        .from(table)
        .where(and(gt(table.id, id), readable))
        .orderBy(asc(table.id))
        .limit(limit),

    /** Discards the videos and documents of a topic, and returns those that were readable. */
    discardByTopic: async (topicId: string): Promise<StoredObject[]> => {
      const found = await db
        .select()
        .from(table)
        .where(and(eq(table.topicId, topicId), isNull(table.derivedFrom), ne(table.status, 'discarded')))
        .orderBy(asc(table.id))
        .for('update');
      for (const { id } of found) await discard(id);
      return found.filter(({ status }) => status === 'ready' || status === 'removing');
    },

    /** Leases due objects to the caller. Returns none while another process claims some. */
    claimDue: (limit: number): Promise<StoredObject[]> =>
      db.transaction(async (tx) => {
        const [lock] = await tx.execute<{ held: boolean }>(
          sql`select pg_try_advisory_xact_lock(${reaperLockId}) as held`,
        );
        if (!lock?.held) return [];
        const due = await tx
          .select({ id: table.id })
          .from(table)
          .where(and(ne(table.status, 'ready'), lte(table.dueAt, sql`now()`)))
          .orderBy(asc(table.dueAt))
          .limit(limit)
          .for('update', { skipLocked: true });
        if (due.length === 0) return [];
        const ids = due.map(({ id }) => id);
        return tx
          .update(table)
          .set({ dueAt: inSeconds(leaseSeconds), attempts: sql`${table.attempts} + 1` })
          .where(inArray(table.id, ids))
          .returning();
      }),
    deleteDiscarded: async (id: string) => {
      await db.delete(table).where(and(eq(table.id, id), eq(table.status, 'discarded')));
    },

    /** Call it within a transaction: serializes changes of a topic's video until that ends. */
    lockTopic: async (topicId: string) => {
      await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${topicId}, 0))`);
    },
  };
};
