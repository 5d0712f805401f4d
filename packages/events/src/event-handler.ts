import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { inbox } from './tables.ts';

export interface ConsumedEvent<T extends TSchema> {
  id: string;
  type: string;
  data: Static<T>;
  /** The aggregate's version. Ignore an event whose version is not higher than the last one you processed. */
  version: number;
  changes?: Changes;
  actorId: string | null;
  requestId: string | null;
  time: Date;
}

/** Handles one event in the transaction that also records it in the inbox. */
export type HandleEvent<T extends TSchema> = (tx: Db, event: ConsumedEvent<T>) => Promise<unknown>;

export interface EventHandler {
  type: string;
  handle: (tx: Db, message: Message) => Promise<unknown>;
}

export interface Message {
  id: string;
  subject: string;
  body: string;
  headers: Record<string, string>;
}

/** Creates the handler of an event. */
export function on<T extends TSchema>(definition: EventDefinition<T>, handle: HandleEvent<T>): EventHandler {
  return {
    type: definition.type,
    handle: (tx, message) => handle(tx, toEvent(definition, message)),
  };
}

export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent';
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new UnreadableEvent('not JSON', { cause });
  }
}

function toEvent<T extends TSchema>(
  { type, data: schema }: EventDefinition<T>,
  { id, body, headers }: Message,
): ConsumedEvent<T> {
  const { version, changes, ...data } = Object(parse(body));
  if (!Value.Check(schema, data) || !Number.isInteger(version))
    throw new UnreadableEvent(`${type} ${id} does not match its schema`);
  const time = new Date(headers['ce-time'] ?? 0);
  return {
    id,
    type,
    data,
    version,
    ...(changes && { changes }),
    actorId: headers['ce-actorid'] ?? null,
    requestId: headers['ce-requestid'] ?? null,
    time,
  };
}

/** Runs the handler of a message unless this consumer has handled it before. */
export async function handleOnce(
  db: Db,
  consumer: string,
  byType: ReadonlyMap<string, EventHandler>,
  message: Message,
) {
  const handler = byType.get(message.headers['ce-type'] ?? '');
  if (!handler) return;
  await db.transaction(async (tx) => {
    const [isNew] = await tx.insert(inbox).values({ consumer, eventId: message.id }).onConflictDoNothing().returning();
    if (isNew) await handler.handle(tx, message);
  });
}
