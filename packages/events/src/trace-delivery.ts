import { readTraceparent, traceparentHeader } from '@lms/telemetry/traceparent';
import { withSpan } from '@lms/telemetry/tracing';

interface Delivery {
  id: string;
  subject: string;
  headers: Record<string, string>;
}

/** Runs the handling of an event as a span of the trace in which it was published. */
export function traceDelivery<T>(
  durable: string,
  { id, subject, headers }: Delivery,
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
