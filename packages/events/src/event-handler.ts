import type { Changes, EventDefinition } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Static, TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

export interface ConsumedEvent<T extends TSchema> {
  id: string;
  type: string;
  aggregateId: string;
  data: Static<T>;
  /**
   * The aggregate's version. Ignore an event whose version is not higher than the last one you processed. It is 0 for a
   * former state that `begin-epoch` has published again.
   */
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
  /** Handles all messages of a batch whose handlers have the same function. */
  handleMany?: (tx: Db, messages: Message[]) => Promise<unknown>;
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
  const read = eventReader(definition);
  return { type: definition.type, handle: (tx, message) => handle(tx, read(message)) };
}

/**
 * Creates the handlers of events that can be handled in one statement for many aggregates. The handler gets the events of a
 * batch in order, of an aggregate perhaps several. All events of these aggregates that the consumer handles must be here.
 */
export function onMany<T extends TSchema>(
  definitions: EventDefinition<T>[],
  handle: (tx: Db, events: ConsumedEvent<T>[]) => Promise<unknown>,
): EventHandler[] {
  const readers = new Map(definitions.map((definition) => [definition.type, eventReader(definition)]));
  const handleMany = (tx: Db, messages: Message[]) =>
    handle(
      tx,
      messages.flatMap((message) => readers.get(message.headers['ce-type'] ?? '')?.(message) ?? []),
    );
  return definitions.map(({ type }) => ({ type, handle: (tx, message) => handleMany(tx, [message]), handleMany }));
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

/** Creates the function that reads and checks a message. It throws UnreadableEvent. */
function eventReader<T extends TSchema>({ type, data: schema }: EventDefinition<T>) {
  const compiled = TypeCompiler.Compile(schema);
  const isData = (data: unknown): data is Static<T> => compiled.Check(data);
  return ({ id, aggregateId, body, headers }: Message): ConsumedEvent<T> => {
    const { version, changes, ...data } = Object(parse(body));
    if (!isData(data) || !Number.isInteger(version))
      throw new UnreadableEvent(`${type} ${id} does not match its schema`);
    return {
      id,
      type,
      aggregateId,
      data,
      version,
      ...(changes && { changes }),
      actorId: headers['ce-actorid'] ?? null,
      requestId: headers['ce-requestid'] ?? null,
      time: new Date(headers['ce-time'] ?? 0),
    };
  };
}
