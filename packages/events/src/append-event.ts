import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Static, TSchema } from '@sinclair/typebox';
import { sql } from 'drizzle-orm';
import { aggregateVersions, outbox } from './tables.ts';

/** Who caused an event, for the audit trail; both are unknown for what the service does by itself. */
export interface Cause {
  actorId?: string | null;
  requestId?: string | null;
}

export interface Happening<T extends TSchema> {
  aggregateId: string;
  /** The aggregate's full public state after the change. */
  data: Static<T>;
  changes?: Changes;
  cause?: Cause;
}

/** Appends an event in the transaction of the change it tells of, with the aggregate's next version. */
export async function appendEvent<T extends TSchema>(
  tx: Db,
  definition: EventDefinition<T>,
  { aggregateId, data, changes, cause }: Happening<T>,
) {
  // The row lock also puts concurrent changes of one aggregate in order.
  const [row] = await tx
    .insert(aggregateVersions)
    .values({ aggregateId, version: 1 })
    .onConflictDoUpdate({
      target: aggregateVersions.aggregateId,
      set: { version: sql`${aggregateVersions.version} + 1` },
    })
    .returning({ version: aggregateVersions.version });
  await tx.insert(outbox).values({
    type: definition.type,
    aggregateId,
    version: row?.version ?? 1,
    data,
    changes: changes ?? null,
    actorId: cause?.actorId ?? null,
    requestId: cause?.requestId ?? null,
  });
}
