import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { readTraceparent, traceparentOf } from '@lms/telemetry/traceparent';
import { tracing } from '@lms/telemetry/tracing';
import type { Static, TSchema } from '@sinclair/typebox';
import { sql } from 'drizzle-orm';
import { aggregateVersions, outbox } from './tables.ts';

/** Who caused an event, for the audit trail; both are unknown for what the service does by itself. */
export interface Cause {
  actorId?: string | null;
  requestId?: string | null;
  /** The traceparent that the request came with; what this process records itself goes before it. */
  traceparent?: string | null;
}

export interface EventInput<T extends TSchema> {
  aggregateId: string;
  /** The aggregate's full public state after the change. */
  data: Static<T>;
  changes?: Changes;
  cause?: Cause;
}

/** Appends an event in the transaction of the change it tells of, with the aggregate's next version. */
export const appendEvent = <T extends TSchema>(tx: Db, definition: EventDefinition<T>, event: EventInput<T>) =>
  appendEvents(tx, definition, [event]);

// Postgres takes 65,535 parameters in a statement; an event has eight.
const maxRowsPerStatement = 1_000;

/** The same for many aggregates that changed in one transaction, each of them once; two statements for a thousand. */
export async function appendEvents<T extends TSchema>(tx: Db, { type }: EventDefinition<T>, events: EventInput<T>[]) {
  const running = tracing()?.activeSpan()?.traceparent;
  for (let start = 0; start < events.length; start += maxRowsPerStatement) {
    const some = events.slice(start, start + maxRowsPerStatement);
    // The row locks also put concurrent changes of one aggregate in order; taken in order themselves, they cannot deadlock.
    const rows = await tx
      .insert(aggregateVersions)
      .values(some.map(({ aggregateId }) => ({ aggregateId, version: 1 })).sort(byId))
      .onConflictDoUpdate({
        target: aggregateVersions.aggregateId,
        set: { version: sql`${aggregateVersions.version} + 1` },
      })
      .returning();
    const versions = new Map(rows.map(({ aggregateId, version }) => [aggregateId, version]));
    await tx.insert(outbox).values(
      some.map(({ aggregateId, data, changes, cause }) => ({
        type,
        aggregateId,
        version: versions.get(aggregateId) ?? 1,
        data,
        changes: changes ?? null,
        actorId: cause?.actorId ?? null,
        requestId: cause?.requestId ?? null,
        traceparent: running ?? readTraceparent(cause?.traceparent) ?? traceparentOf(cause?.requestId),
      })),
    );
  }
}

const byId = (one: { aggregateId: string }, other: { aggregateId: string }) =>
  one.aggregateId < other.aggregateId ? -1 : 1;
