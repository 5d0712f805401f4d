import { streamName } from '@lms/contracts/events/definition';
import type { Database, Db } from '@lms/database/connect';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { type JetStreamManager, NatsError, type StoredMsg } from 'nats';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import { contains, listErasures, markStreamErased } from './erasures.ts';
import { type LostEvent, type PublishCurrentStates, toLostEvent } from './restored-database.ts';
import { findMessage } from './stream-position.ts';
import { aggregateVersions, outbox } from './tables.ts';

export interface EraseOptions {
  database: Pick<Database, 'db'>;
  bus: Bus;
  /** The NATS subject of the service's events that can identify a person. */
  subject: string;
  publishCurrentStates: PublishCurrentStates;
  logger: Pick<Logger, 'info'>;
}

const recheckMs = 3_600_000;
const maxPauseMs = 600_000;
const firstPauseMs = 2_000;

/**
 * Creates the job that erases from the stream what identifies people whose data was erased. An event is erased after all
 * durable consumers have acknowledged it, and if a later event of its aggregate remains, so that no state is missing. Where
 * there is none, the current state is published first. Each hour it looks again, because the stream may have been set back.
 */
export function createEventEraser({ database: { db }, bus, subject, publishCurrentStates, logger }: EraseOptions) {
  let checkedAt = 0;
  let dueAt = 0;
  let pauseMs = firstPauseMs;

  return async function eraseEvents() {
    const all = await listErasures(db);
    const pending = all.filter(({ streamErasedAt }) => streamErasedAt === null);
    const now = Date.now();
    if (pending.length === 0) pauseMs = firstPauseMs;
    const isDue = pending.length > 0 ? now >= dueAt : now - checkedAt >= recheckMs;
    if (all.length === 0 || !isDue) return;
    const unique = new Set(all.map(({ uniqueHash }) => uniqueHash));
    const others = new Set(all.flatMap(({ otherHashes }) => otherHashes));
    const { erased, waiting } = await eraseFrom(bus, subject, (body) => {
      if (contains(body, unique)) return 'must';
      return contains(body, others) ? 'may' : 'no';
    });
    if (erased > 0) logger.info({ count: erased }, 'events that identified erased people were erased from the stream');
    checkedAt = now;
    if (waiting.length === 0) for (const erasure of pending) await markStreamErased(db, erasure);
    else {
      await publishMissing(db, waiting, publishCurrentStates);
      dueAt = now + pauseMs;
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  };
}

/** Publishes the current state of the aggregates whose last event is to be erased, unless an event waits in the outbox. */
async function publishMissing(db: Db, waiting: Waiting[], publishCurrentStates: PublishCurrentStates) {
  const last = waiting.filter(({ hasSuccessor }) => !hasSuccessor).map(({ event }) => event);
  await db.transaction(async (tx) => {
    const { aggregateId } = aggregateVersions;
    const ids = last.map((event) => event.aggregateId);
    // A change that has appended its event but is not committed: its state must be read, or it would be published before an
    // older one.
    await tx.select().from(aggregateVersions).where(inArray(aggregateId, ids)).orderBy(aggregateId).for('update');
    const missing: LostEvent[] = [];
    for (const event of last) {
      const unpublished = await tx
        .select({ id: outbox.id })
        .from(outbox)
        .where(and(eq(outbox.aggregateId, event.aggregateId), isNull(outbox.publishedAt)))
        .limit(1);
      if (unpublished.length === 0) missing.push(event);
    }
    if (missing.length > 0) await publishCurrentStates(tx, missing);
  });
}

/** The last event of an aggregate that has to be erased and cannot be erased yet. */
interface Waiting {
  event: LostEvent;
  hasSuccessor: boolean;
}

async function eraseFrom(bus: Bus, subject: string, classify: (body: string) => 'must' | 'may' | 'no') {
  const { manager } = await bus.connected();
  const state = await bus.ensureStream();
  const acknowledged = await acknowledgedSequence(manager, state.last_seq);
  const found: { message: StoredMsg; aggregateId: string; isRequired: boolean }[] = [];
  const lastRemaining = new Map<string, number>();
  for (let sequence = state.first_seq; sequence <= state.last_seq; ) {
    const message = await findMessage(manager, { seq: sequence, next_by_subj: subject });
    if (!message || message.seq > state.last_seq) break;
    const aggregateId = message.header.get('ce-subject');
    const kind = classify(message.string());
    if (kind === 'no') lastRemaining.set(aggregateId, message.seq);
    else found.push({ message, aggregateId, isRequired: kind === 'must' });
    sequence = message.seq + 1;
  }
  const waiting = new Map<string, Waiting>();
  let erased = 0;
  for (const { message, aggregateId, isRequired } of found) {
    const hasSuccessor = (lastRemaining.get(aggregateId) ?? 0) > message.seq;
    if (hasSuccessor && message.seq <= acknowledged) {
      await eraseMessage(manager, message.seq);
      erased += 1;
    } else if (isRequired) waiting.set(aggregateId, { event: toLostEvent([aggregateId, message]), hasSuccessor });
  }
  return { erased, waiting: [...waiting.values()] };
}

/** All durable consumers have acknowledged the events up to this sequence. */
async function acknowledgedSequence(manager: JetStreamManager, lastSequence: number): Promise<number> {
  let lowest = lastSequence;
  for await (const { config, ack_floor: floor, num_pending, num_ack_pending } of manager.consumers.list(streamName))
    if (config.durable_name && num_pending + num_ack_pending > 0) lowest = Math.min(lowest, floor.stream_seq);
  return lowest;
}

/** Overwrites the message in the store with random data. */
async function eraseMessage(manager: JetStreamManager, sequence: number) {
  await manager.streams.deleteMessage(streamName, sequence, true).catch((error: unknown) => {
    // It has expired, or another process has erased it.
    if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
  });
}
