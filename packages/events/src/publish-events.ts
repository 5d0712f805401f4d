import { readTraceparent } from '@lms/telemetry/traceparent';
import { withSpan } from '@lms/telemetry/tracing';
import { ErrorCode, type JetStreamClient, NatsError } from 'nats';
import type { Logger } from 'pino';
import { type Row, toBody, toHeaders } from './cloud-event.ts';
import type { EventMetrics } from './event-metrics.ts';

export interface Publisher {
  jetstream: JetStreamClient;
  /** The size of the largest message that the server accepts, in bytes. */
  maxPayload: number;
  /** The name of the service. */
  source: string;
  logger: Logger;
  metrics: ReturnType<EventMetrics['outbox']> | undefined;
}

// Headers count as payload.
const maxHeaderBytes = 4_096;

/** `sequence` is null if the event was skipped, because NATS does not accept its size. */
export interface Published {
  id: string;
  sequence: number | null;
}

/**
 * Publishes rows in order until one fails, and awaits the acknowledgements of many together. An event is sent after those
 * of its aggregate were acknowledged: of several in flight, the first could fail and the second succeed.
 */
export async function publishEvents(
  publisher: Publisher,
  rows: Row[],
  mayContinue: () => boolean,
): Promise<{ published: Published[]; failure?: unknown }> {
  const published: Published[] = [];
  for (let rest = rows; rest.length > 0 && mayContinue(); ) {
    const window = firstOfEachAggregate(rest);
    rest = rest.slice(window.length);
    const failures: unknown[] = [];
    await Promise.all(
      window.map((row) =>
        publishOrSkip(publisher, row).then(
          (sequence) => published.push({ id: row.id, sequence }),
          (failure: unknown) => failures.push(failure),
        ),
      ),
    );
    if (failures.length > 0) return { published, failure: failures[0] };
  }
  return { published };
}

/** The rows before the first whose aggregate repeats. */
function firstOfEachAggregate(rows: Row[]): Row[] {
  const aggregates = new Set<string>();
  const end = rows.findIndex(({ aggregateId }) => aggregates.size === aggregates.add(aggregateId).size);
  return end === -1 ? rows : rows.slice(0, end);
}

async function publishOrSkip(publisher: Publisher, row: Row): Promise<number | null> {
  const { logger, metrics } = publisher;
  try {
    const sequence = await publishEvent(publisher, row);
    metrics?.published();
    return sequence;
  } catch (err) {
    metrics?.failed();
    if (!isTooLarge(err)) throw err;
    // Retrying would block all later events. It stays in the outbox, for `republish` after max_payload was raised.
    const { id: eventId, type, aggregateId } = row;
    logger.error({ err, eventId, type, aggregateId }, 'event exceeds the max_payload of NATS and was skipped');
    return null;
  }
}

function publishEvent({ jetstream, maxPayload, source }: Publisher, row: Row): Promise<number> {
  const subject = `lms.${row.type}.v1`;
  const parent = readTraceparent(row.traceparent) ?? null;
  const attributes = {
    'messaging.system': 'nats',
    'messaging.destination.name': subject,
    'messaging.message.id': row.id,
  };
  return withSpan(`publish ${subject}`, { kind: 'producer', parent, attributes }, async (span) => {
    const headers = toHeaders(row, source, span?.traceparent ?? row.traceparent);
    const { seq } = await jetstream.publish(subject, bodyWithin(maxPayload, row), { msgID: row.id, headers });
    return seq;
  });
}

/** If the body is too large, leaves out `changes`: consumers need the state only, `changes` is for the audit log. */
function bodyWithin(maxPayload: number, row: Row): string {
  const body = toBody(row);
  return Buffer.byteLength(body) + maxHeaderBytes > maxPayload ? toBody({ ...row, changes: null }) : body;
}

const isTooLarge = (error: unknown) => error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded;
