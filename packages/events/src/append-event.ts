import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { readTraceparent, traceparentOf } from '@lms/telemetry/traceparent';
import { tracing } from '@lms/telemetry/tracing';
import type { Static, TSchema } from '@sinclair/typebox';
import { sql } from 'drizzle-orm';
import { aggregateVersions, outbox } from './tables.ts';

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

/** Appends an event with the aggregate's next version. Call it in the transaction of the change. */
export const appendEvent = <T extends TSchema>(tx: Db, definition: EventDefinition<T>, event: EventInput<T>) =>
  appendEvents(tx, definition, [event]);

// PostgreSQL allows 65,535 parameters in a statement; an event has eight.
const maxRowsPerStatement = 1_000;

/** Appends one event for each of many aggregates. It takes two statements per thousand events. */
export async function appendEvents<T extends TSchema>(tx: Db, { type }: EventDefinition<T>, events: EventInput<T>[]) {
  const activeTraceparent = tracing()?.activeSpan()?.traceparent;
  for (let start = 0; start < events.length; start += maxRowsPerStatement) {
    const batch = events.slice(start, start + maxRowsPerStatement);
    // The row locks serialize concurrent changes of one aggregate. They are taken in id order, so they cannot deadlock.
    const rows = await tx
      .insert(aggregateVersions)
      .values(batch.map(({ aggregateId }) => ({ aggregateId, version: 1 })).sort(byId))
      .onConflictDoUpdate({
        target: aggregateVersions.aggregateId,
        set: { version: sql`${aggregateVersions.version} + 1` },
      })
      .returning();
    const versions = new Map(rows.map(({ aggregateId, version }) => [aggregateId, version]));
    await tx.insert(outbox).values(
      batch.map(({ aggregateId, data, changes, cause }) => ({
        type,
        aggregateId,
        version: versions.get(aggregateId) ?? 1,
        data,
        changes: changes ?? null,
        actorId: cause?.actorId ?? null,
        requestId: cause?.requestId ?? null,
        traceparent: activeTraceparent ?? readTraceparent(cause?.traceparent) ?? traceparentOf(cause?.requestId),
      })),
    );
  }
}

const byId = (one: { aggregateId: string }, other: { aggregateId: string }) =>
  one.aggregateId < other.aggregateId ? -1 : 1;
