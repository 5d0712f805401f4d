import { readTraceparent, traceparentHeader } from '@lms/telemetry/traceparent';
import { withSpan } from '@lms/telemetry/tracing';

interface Delivered {
  id: string;
  subject: string;
  headers: Record<string, string>;
}

/** Makes what is done about an event a part of the trace in which it was told. */
export function traceDelivery<T>(
  durable: string,
  { id, subject, headers }: Delivered,
  work: () => Promise<T>,
): Promise<T> {
  const parent = readTraceparent(headers[traceparentHeader]) ?? null;
  const attributes = {
    'messaging.system': 'nats',
    'messaging.destination.name': subject,
    'messaging.message.id': id,
    'messaging.consumer.group.name': durable,
  };
  return withSpan(`process ${subject}`, { kind: 'consumer', parent, attributes }, work);
}
