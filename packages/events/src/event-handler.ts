import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Static, TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

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

/**
 * Handles one event in the transaction that also records it in the inbox. Events of other aggregates may be handled in the
 * same transaction at the same time, so a handler must not use savepoints.
 */
export type HandleEvent<T extends TSchema> = (tx: Db, event: ConsumedEvent<T>) => Promise<unknown>;

export interface EventHandler {
  type: string;
  handle: (tx: Db, message: Message) => Promise<unknown>;
}

export interface Message {
  id: string;
  /** Events of one aggregate are handled in order. */
  aggregateId: string;
  subject: string;
  body: string;
  headers: Record<string, string>;
}

/** Creates the handler of an event. */
export function on<T extends TSchema>(definition: EventDefinition<T>, handle: HandleEvent<T>): EventHandler {
  const schema = TypeCompiler.Compile(definition.data);
  const isData = (data: unknown): data is Static<T> => schema.Check(data);
  return {
    type: definition.type,
    handle: (tx, message) => handle(tx, toEvent(definition.type, isData, message)),
  };
}

/** An event that no further attempt can handle. */
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

function toEvent<Data>(
  type: string,
  isData: (data: unknown) => data is Data,
  { id, body, headers }: Message,
): Omit<ConsumedEvent<TSchema>, 'data'> & { data: Data } {
  const { version, changes, ...data } = Object(parse(body));
  if (!isData(data) || !Number.isInteger(version)) throw new UnreadableEvent(`${type} ${id} does not match its schema`);
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
