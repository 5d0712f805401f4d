import { join } from 'node:path';
import { streamName } from '@lms/contracts/events/definition';
import { connect, type Database } from '@lms/database/connect';
import type { Registry } from '@lms/telemetry/registry';
import { testDatabase } from '@lms/testing/database';
import { startNats, type TestServer } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import type { Test } from 'tap';
import { appendEvent } from '../src/append-event.ts';
import { type Bus, connectBus } from '../src/bus.ts';
import { type ConsumeOptions, consume } from '../src/consume.ts';
import { on } from '../src/event-handler.ts';
import { startRelay } from '../src/relay.ts';
import type { PublishCurrentStates } from '../src/restored-database.ts';
import { thingChanged, thingSubjects } from './things.ts';

const silent = pino({ level: 'silent' });

/** Starts NATS and creates a database for one test. */
export async function setup(t: Test) {
  const nats = await startNats(t);
  const database = await testDatabase(t, join(import.meta.dirname, '../test/migrations'));
  return { nats, database, openBus: (registry?: Registry) => openBus(t, nats, registry) };
}

/** A connection to NATS with its relays and consumers; closed when the test ends. */
function openBus(t: Test, nats: Pick<TestServer, 'url'>, registry?: Registry) {
  const bus = connectBus(nats.url, 'test', silent, registry);
  const running: Promise<unknown>[] = [];
  const close = async () => {
    await bus.close();
    await Promise.all(running);
  };
  t.teardown(close);
  return {
    bus,
    close,
    relay(database: Database, source = 'test', publishCurrentStates?: PublishCurrentStates) {
      const relay = startRelay(database, bus, source, silent, publishCurrentStates);
      running.push(relay.ended);
      return relay;
    },
    consume(options: Omit<ConsumeOptions, 'bus' | 'logger' | 'durable' | 'filter'> & Partial<ConsumeOptions>) {
      const consumer = consume({ bus, logger: silent, durable: 'test', filter: thingSubjects, ...options });
      running.push(consumer.ended);
      return consumer;
    },
  };
}

/** A pool whose statements may take half a second, while updates of 60 published events take longer. */
export async function slowUpdates(t: Test, { sql, url }: Database & { url: string }): Promise<Database> {
  await sql`create function pause() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.02); return new; end $$`;
  await sql`create trigger pause before update on outbox
    for each row when (old.published_at is not null) execute function pause()`;
  const database = connect(`${url}?statement_timeout=500`, { acquireTimeoutSeconds: 30 });
  t.teardown(database.close);
  return database;
}

/** Appends the event of one changed thing in its own transaction. */
export const changeThing = ({ db }: Pick<Database, 'db'>, n: number, id = `thing-${n}`) =>
  db.transaction((tx) => appendEvent(tx, thingChanged, { aggregateId: id, data: { id, n } }));

/** A handler that records the numbers of the events it handles. */
export function recordingHandler() {
  const numbers: number[] = [];
  return { numbers, handlers: [on(thingChanged, async (_tx, { data }) => numbers.push(data.n))] };
}

/** Creates the table of `recordEffect`. */
export const createEffects = ({ sql }: Pick<Database, 'sql'>) =>
  sql`create table effects (ordinal serial, id text not null, n integer not null)`;

/** The recorded numbers, in the order of their effects. */
export async function effects({ sql }: Pick<Database, 'sql'>, id?: string) {
  const rows = await sql`select n from effects where id = coalesce(${id ?? null}, id) order by ordinal`;
  return rows.map(({ n }) => n);
}

/** All events in the stream, in order. */
export async function streamedEvents(bus: Bus) {
  const { manager } = await bus.connected();
  const { state } = await manager.streams.info(streamName);
  const messages = [];
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1)
    messages.push(await manager.streams.getMessage(streamName, { seq }));
  return messages.map((message) => ({
    subject: message.subject,
    header: (name: string) => message.header.get(name),
    body: message.json<{ id: string; n: number; version: number }>(),
  }));
}

export const streamedNumbers = async (bus: Bus) => (await streamedEvents(bus)).map(({ body }) => body.n);

/** Waits until all events of the outbox are published. */
export const allPublished = ({ sql }: Pick<Database, 'sql'>) =>
  waitFor(async () => (await sql`select 1 from outbox where published_at is null limit 1`).length === 0, {
    until: 'an empty outbox',
  });

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
