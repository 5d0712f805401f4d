import type { Db } from '@lms/database/connect';
import { eq, isNotNull, max, sql } from 'drizzle-orm';
import type { JetStreamManager, StoredMsg } from 'nats';
import { versionsPerEpoch } from './append-event.ts';
import { findMessage, idOf } from './stream-position.ts';
import { aggregateVersions, eventEpochs, outbox } from './tables.ts';

/** The last event of an aggregate that was published before the database was set back, and that the database lacks. */
export interface LostEvent {
  type: string;
  aggregateId: string;
  /** The state that other services have. */
  data: unknown;
}

/** Appends an event with the current state of each of these aggregates, so that other services have it again. */
export type PublishCurrentStates = (tx: Db, lost: LostEvent[]) => Promise<unknown>;

interface Publisher {
  db: Db;
  manager: JetStreamManager;
  /** The name of the service. */
  source: string;
  publishCurrentStates?: PublishCurrentStates | undefined;
}

/**
 * Begins a new epoch if the stream has events of this service that its database lacks: the database was restored to an
 * earlier moment. The versions of an epoch are higher than all before, so consumers accept its events.
 * @returns the number of aggregates with lost events
 */
export async function beginEpochIfRestored({ db, manager, source, publishCurrentStates }: Publisher): Promise<number> {
  const filter = `lms.${source}.>`;
  const last = await findMessage(manager, { last_by_subj: filter });
  if (!last || (await isInOutbox(db, idOf(last)))) return 0;
  const known = await lastKnownSequence(db);
  if (known === undefined || last.seq <= known) return 0;

  const lost = new Map<string, StoredMsg>();
  for (let sequence = known + 1; ; ) {
    const message = await findMessage(manager, { seq: sequence, next_by_subj: filter });
    if (!message) break;
    if (!(await isInOutbox(db, idOf(message)))) lost.set(message.header.get('ce-subject'), message);
    sequence = message.seq + 1;
  }
  await db.transaction(async (tx) => {
    await lockOutbox(tx);
    // Another process may have begun it meanwhile.
    if (last.seq <= ((await lastKnownSequence(tx)) ?? 0)) return;
    await beginEpoch(tx, last.seq, Math.max(0, ...[...lost.values()].map(versionOf)));
    await publishCurrentStates?.(tx, [...lost].map(toLostEvent));
  });
  return lost.size;
}

const isInOutbox = async (db: Db, id: string): Promise<boolean> =>
  (await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id))).length > 0;

/** How far this database has come in the stream; undefined if its events were published before sequences were stored. */
async function lastKnownSequence(db: Db): Promise<number | undefined> {
  const [published] = await db.select({ sequence: max(outbox.streamSequence) }).from(outbox);
  const [epoch] = await db.select({ sequence: max(eventEpochs.streamSequence) }).from(eventEpochs);
  if (published?.sequence != null || epoch?.sequence != null)
    return Math.max(Number(published?.sequence ?? 0), Number(epoch?.sequence ?? 0));
  const rows = await db.select({ id: outbox.id }).from(outbox).where(isNotNull(outbox.publishedAt)).limit(1);
  return rows.length > 0 ? undefined : 0;
}

const versionOf = ({ header }: StoredMsg): number => Number(header.get('ce-sequence')) || 0;

/**
 * Begins an epoch if the database cannot find out by itself that it was restored, because the stream was lost as well. All
 * stored events are published again, as new ones, because consumers may know the former. The last of each aggregate has a
 * higher version than all before, and the others have version 0: consumers do not go back to older states.
 */
export const beginEpochNow = (db: Db): Promise<number> =>
  db.transaction(async (tx) => {
    await lockOutbox(tx);
    await tx.update(outbox).set({ publishedAt: null, streamSequence: null });
    const epoch = await beginEpoch(tx, null, 0);
    await tx.execute(sql`
      update ${outbox} set id = id || '-' || ${epoch}::text, version = case
        when version = (select version from ${aggregateVersions} where aggregate_id = ${outbox}.aggregate_id) then version
        else 0 end`);
    return epoch;
  });

/** The id that an event had before epochs were begun by hand: the same for all publications of a change. */
export const originalId = (eventId: string): string => eventId.replace(/(-\d+)+$/, '');

async function lockOutbox(tx: Db) {
  // No event may get a version of the former epoch after this.
  await tx.execute(sql`lock table ${outbox} in share row exclusive mode`);
  // The outbox may have the events of a week.
  await tx.execute(sql`set local statement_timeout = 0`);
}

async function beginEpoch(tx: Db, streamSequence: number | null, highestVersion: number): Promise<number> {
  const [stored] = await tx.select({ epoch: max(eventEpochs.epoch) }).from(eventEpochs);
  const epoch = Math.max(stored?.epoch ?? 0, Math.floor(highestVersion / versionsPerEpoch)) + 1;
  await tx.insert(eventEpochs).values({ epoch, streamSequence });
  // Events that are not yet published belong to this epoch. They may be of several epochs. Version 0 stays as it is.
  await tx.execute(sql`
    update ${outbox} set version = ${epoch * versionsPerEpoch}::integer + numbered.number
    from (
      select id, row_number() over (partition by aggregate_id order by ordinal) as number
      from ${outbox} where published_at is null and version > 0
    ) as numbered
    where ${outbox}.id = numbered.id`);
  await tx.execute(sql`
    update ${aggregateVersions} set version = numbered.last
    from (
      select aggregate_id, max(version) as last from ${outbox}
      where published_at is null and version > 0 group by aggregate_id
    ) as numbered
    where ${aggregateVersions}.aggregate_id = numbered.aggregate_id`);
  return epoch;
}

export function toLostEvent([aggregateId, message]: [string, StoredMsg]): LostEvent {
  const { version: _version, changes: _changes, ...data } = Object(message.json());
  return { type: message.header.get('ce-type'), aggregateId, data };
}
