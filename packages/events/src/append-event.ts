import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { readTraceparent, traceparentOf } from '@lms/telemetry/traceparent';
import { tracing } from '@lms/telemetry/tracing';
import type { Static, TSchema } from '@sinclair/typebox';
import { eq, sql } from 'drizzle-orm';
import { aggregateVersions, eventEpochs, outbox } from './tables.ts';

/** The user and the request that caused an event, for the audit log. Both are null for background work. */
export interface Cause {
  actorId?: string | null;
  requestId?: string | null;
  /** The traceparent of the request. The active span, if any, takes precedence. */
  traceparent?: string | null;
}

export interface EventInput<T extends TSchema> {
  aggregateId: string;
  /** The aggregate's full public state after the change. */
  data: Static<T>;
  changes?: Changes;
  cause?: Cause;
}

/** Appends an event with the aggregate's next version, and returns that. Call it in the transaction of the change. */
export async function appendEvent<T extends TSchema>(tx: Db, definition: EventDefinition<T>, event: EventInput<T>) {
  const [version = 0] = await appendEvents(tx, definition, [event]);
  return version;
}

/** The version of an aggregate's last event; 0 if it has none. */
export async function findVersion(db: Db, aggregateId: string): Promise<number> {
  const [found] = await db.select().from(aggregateVersions).where(eq(aggregateVersions.aggregateId, aggregateId));
  return found?.version ?? 0;
}

const maxRowsPerStatement = 1_000;
/** The versions of an epoch are those above this multiple of it. */
export const versionsPerEpoch = 1_000_000;

/** Appends one event for each of many aggregates, in one statement per thousand. @returns their versions in no order */
export async function appendEvents<T extends TSchema>(tx: Db, { type }: EventDefinition<T>, events: EventInput<T>[]) {
  const versions: number[] = [];
  const activeTraceparent = tracing()?.activeSpan()?.traceparent;
  const rows = events.map(({ aggregateId, data, changes, cause }, position) => ({
    position,
    id: createId(),
    aggregate_id: aggregateId,
    data,
    changes,
    actor_id: cause?.actorId,
    request_id: cause?.requestId,
    traceparent: activeTraceparent ?? readTraceparent(cause?.traceparent) ?? traceparentOf(cause?.requestId),
  }));
  for (let start = 0; start < rows.length; start += maxRowsPerStatement) {
    const batch = JSON.stringify(rows.slice(start, start + maxRowsPerStatement));
    // The row locks serialize concurrent changes of one aggregate. They are taken in id order, so they cannot deadlock.
    // now() would be the beginning of a transaction that may have waited for another change.
    const appended = await tx.execute<{ version: number }>(sql`
      with events as (
        select * from jsonb_to_recordset(${batch}::jsonb) as event(
          position integer, id text, aggregate_id text, data jsonb, changes jsonb, actor_id text, request_id text,
          traceparent text)
      ), epoch as (
        select coalesce(max(epoch), 0) * ${versionsPerEpoch}::integer as start from ${eventEpochs}
      ), versions as (
        insert into ${aggregateVersions} as stored (aggregate_id, version)
        select aggregate_id, epoch.start + 1 from events, epoch order by aggregate_id
        on conflict (aggregate_id) do update set version = greatest(stored.version, excluded.version - 1) + 1
        returning aggregate_id, version
      )
      insert into ${outbox} (id, type, aggregate_id, version, data, changes, actor_id, request_id, traceparent, created_at)
      select id, ${type}, aggregate_id, version, data, changes, actor_id, request_id, traceparent, clock_timestamp()
      from events join versions using (aggregate_id) order by position
      returning version`);
    versions.push(...appended.map(({ version }) => version));
  }
  return versions;
}
