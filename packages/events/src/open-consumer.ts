import { streamName } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { and, desc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  type StreamState,
} from 'nats';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { findMessage, idOf, lastCommonSequence } from './stream-position.ts';
import { deadLetters, inbox } from './tables.ts';

// Longer than handling a batch should take.
const ackWaitMs = 10_000;

export interface DurableConsumer {
  durable: string;
  /** One NATS subject; wildcards are allowed (more than one subject needs server 2.10). */
  filter: string;
}

/**
 * Opens the durable consumer for the one process that uses it, and creates it if it does not exist. The inbox decides where
 * it continues, so that no event is missed after the stream or the database was set back to an earlier state.
 */
export async function openConsumer(bus: Bus, db: Db, { durable, filter }: DurableConsumer, logger: Logger) {
  const { jetstream, manager } = await bus.connected();
  const state = await bus.ensureStream();

  const create = (startSequence: number) =>
    manager.consumers.add(streamName, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: startSequence,
      filter_subject: filter,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: 1_000,
      // max_deliver stays unlimited: with a limit, server 2.9 stalls the whole consumer at a message that reached it.
    });

  const info = await manager.consumers.info(streamName, durable).catch(undefinedIfMissing);
  if (!info) await create(1);
  else {
    const startSequence = await findStart({ db, manager, durable, filter, info, state });
    if (startSequence !== undefined) {
      logger.info({ durable, startSequence }, 'event consumer starts again from an earlier event');
      await manager.consumers.delete(streamName, durable);
      await create(startSequence);
    }
  }
  return jetstream.consumers.get(streamName, durable);
}

interface Place extends DurableConsumer {
  db: Db;
  manager: JetStreamManager;
  info: ConsumerInfo;
  state: StreamState;
}

/** The sequence at which the consumer has to start again; undefined if it can continue. */
async function findStart({ db, manager, durable, filter, info, state }: Place): Promise<number | undefined> {
  // A consumer that was created again has no acknowledgements of its own yet.
  const acknowledged = Math.max(info.ack_floor.stream_seq, (info.config.opt_start_seq ?? 1) - 1);
  const handledBefore = async (sequence: number) => {
    const [row] = await db
      .select({ id: inbox.eventId, sequence: sql<number>`${inbox.streamSequence}`.mapWith(Number) })
      .from(inbox)
      .where(and(eq(inbox.consumer, durable), isNotNull(inbox.streamSequence), lte(inbox.streamSequence, sequence)))
      .orderBy(desc(inbox.streamSequence))
      .limit(1);
    return row;
  };
  const last = await handledBefore(Number.MAX_SAFE_INTEGER);
  const common = await lastCommonSequence(manager, state, handledBefore);
  if (last && common !== undefined) {
    // The stream has lost its end, and this consumer may be ahead of what is stored there now.
    if (common < last.sequence) {
      await forgetSequences(db, durable, common);
      return Math.min(common, acknowledged) + 1;
    }
    const missing = await findUnhandled(last.sequence + 1);
    if (missing !== undefined) return missing;
  } else if (acknowledged > 0 && (await isInboxEmpty(db, durable))) return 1;
  // Events that a former process received are delivered at once and in order, instead of after their time limit.
  return info.num_ack_pending > 0 ? acknowledged + 1 : undefined;

  /** An acknowledged event that is not in the inbox: the database was set back to an earlier state. */
  async function findUnhandled(from: number): Promise<number | undefined> {
    for (let sequence = from; sequence <= acknowledged; ) {
      const message = await findMessage(manager, { seq: sequence, next_by_subj: filter });
      if (!message || message.seq > acknowledged) return undefined;
      if (!(await isKnown(db, durable, idOf(message)))) return message.seq;
      sequence = message.seq + 1;
    }
    return undefined;
  }
}

async function isInboxEmpty(db: Db, consumer: string): Promise<boolean> {
  const rows = await db.select({ id: inbox.eventId }).from(inbox).where(eq(inbox.consumer, consumer)).limit(1);
  return rows.length === 0;
}

/** They belonged to lost messages, and other messages get them. */
const forgetSequences = (db: Db, consumer: string, after: number) =>
  db
    .update(inbox)
    .set({ streamSequence: null })
    .where(and(eq(inbox.consumer, consumer), gt(inbox.streamSequence, after)));

async function isKnown(db: Db, consumer: string, eventId: string): Promise<boolean> {
  const handled = await db
    .select({ id: inbox.eventId })
    .from(inbox)
    .where(and(eq(inbox.consumer, consumer), eq(inbox.eventId, eventId)));
  if (handled.length > 0) return true;
  const rows = await db
    .select({ id: deadLetters.id })
    .from(deadLetters)
    .where(and(eq(deadLetters.consumer, consumer), eq(deadLetters.eventId, eventId)))
    .limit(1);
  return rows.length > 0;
}

function undefinedIfMissing(error: unknown): ConsumerInfo | undefined {
  if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
  throw error;
}
