import type { Db } from '@lms/database/connect';
import { sql } from 'drizzle-orm';
import { type EventHandler, type Message, UnreadableEvent } from './event-handler.ts';
import { inbox } from './tables.ts';
import { traceDelivery } from './trace-delivery.ts';

/** A message as the stream delivered it. A replayed dead letter has no position. */
export interface DeliveredMessage extends Message {
  position?: { sequence: number; version: number | null };
}

export interface Handling {
  db: Db;
  consumer: string;
  handlers: ReadonlyMap<string, EventHandler>;
}

/**
 * Handles messages in one transaction: those of one aggregate in order, those of different aggregates at the same time,
 * so that their statements share round trips. Messages that this consumer has handled before have no effect.
 */
export async function handleMessages({ db, consumer, handlers }: Handling, messages: DeliveredMessage[]) {
  await db.transaction(async (tx) => {
    const recorded = await record(tx, consumer, messages);
    // `delete`, because a batch can contain a message twice.
    const added = messages.filter(({ id }) => recorded.delete(id));
    const handlerOf = ({ headers }: Message) => handlers.get(headers['ce-type'] ?? '');
    const handleInOrder = async (group: Message[]) => {
      for (const message of group)
        await traceDelivery(consumer, message, async () => handlerOf(message)?.handle(tx, message));
    };
    const handleTogether = async (handleMany: HandleMany, group: Message[]) => {
      const handled = handleMany(tx, group);
      await Promise.all(group.map((message) => traceDelivery(consumer, message, () => handled)));
    };
    const groups = groupBy(added, (message) => handlerOf(message)?.handleMany ?? message.aggregateId);
    await whenAllEnded(
      [...groups].map(([key, group]) => (typeof key === 'string' ? handleInOrder(group) : handleTogether(key, group))),
    );
  });
}

type HandleMany = NonNullable<EventHandler['handleMany']>;

/** Groups values by a key and preserves their order. */
export function groupBy<T, Key>(values: T[], keyOf: (value: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

/** The publisher gave the version of a handled event to another one, so its database lost the first. */
class VersionConflict extends UnreadableEvent {
  override name = 'VersionConflict';
}

/**
 * Adds messages to the inbox, or updates their sequences.
 * @returns the ids of those that were not in it
 */
async function record(tx: Db, consumer: string, messages: DeliveredMessage[]): Promise<Set<unknown>> {
  const rows = (some: DeliveredMessage[]) => {
    const values = some.map(({ id, aggregateId, position }) => ({
      event_id: id,
      stream_sequence: position?.sequence,
      aggregate_id: aggregateId,
      version: position?.version,
    }));
    return sql`jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
      as message(event_id text, stream_sequence bigint, aggregate_id text, version integer)`;
  };
  const added = await tx.execute(sql`
    insert into ${inbox} (consumer, event_id, stream_sequence, aggregate_id, version)
    select ${consumer}, * from ${rows(messages)} on conflict do nothing returning event_id`);
  const recorded = new Set(added.map((row) => row.event_id));
  const rest = messages.filter(({ id }) => !recorded.has(id));
  if (rest.length === 0) return recorded;
  const updated = await tx.execute(sql`
    update ${inbox} set stream_sequence = message.stream_sequence from ${rows(rest)}
    where consumer = ${consumer} and ${inbox}.event_id = message.event_id returning ${inbox}.event_id`);
  const handled = new Set(updated.map((row) => row.event_id));
  const other = rest.find(({ id }) => !handled.has(id));
  if (other)
    throw new VersionConflict(
      `another event was handled with version ${other.position?.version} of ${other.aggregateId}; the publisher's database seems to have been restored without a new epoch`,
    );
  return recorded;
}

/** Unlike Promise.all, waits for all before it rejects: none may use the transaction after its end. */
async function whenAllEnded(work: Promise<unknown>[]) {
  const errors: unknown[] = [];
  await Promise.all(work.map((one) => one.catch((error: unknown) => errors.push(error))));
  if (errors.length > 0) throw errors[0];
}
