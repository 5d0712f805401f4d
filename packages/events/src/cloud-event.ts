import { headers } from 'nats';
import type { outbox } from './tables.ts';

export type Row = typeof outbox.$inferSelect;

export function toBody({ data, version, changes }: Row): string {
  return JSON.stringify({ ...Object(data), version, ...(changes && { changes }) });
}

/** The headers of CloudEvents 1.0 in binary mode. */
export function toHeaders(row: Row, source: string, traceparent: string | null) {
  const entries = {
    'ce-specversion': '1.0',
    'ce-id': row.id,
    'ce-type': row.type,
    'ce-source': source,
    'ce-subject': row.aggregateId,
    'ce-time': row.createdAt.toISOString(),
    'ce-sequence': String(row.version),
    'content-type': 'application/json',
    'ce-actorid': row.actorId,
    'ce-requestid': row.requestId,
    traceparent,
  };
  const natsHeaders = headers();
  for (const [name, value] of Object.entries(entries)) if (value) natsHeaders.set(name, value);
  return natsHeaders;
}
