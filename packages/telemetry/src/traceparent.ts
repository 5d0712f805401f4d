import { randomBytes } from 'node:crypto';

/** The header that says to which trace something belongs: https://www.w3.org/TR/trace-context/#traceparent-header. */
export const traceparentHeader = 'traceparent';

const shape = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The header's value, if it is a good one. */
export const readTraceparent = (given: unknown): string | undefined =>
  typeof given === 'string' && shape.test(given) ? given : undefined;

/** A traceparent for what nobody traces: its trace carries the id of the request where that is a UUID. */
export function traceparentOf(requestId: string | null | undefined): string {
  const digits = requestId?.replaceAll('-', '') ?? '';
  const spanId = randomBytes(8).toString('hex');
  return readTraceparent(`00-${digits}-${spanId}-00`) ?? `00-${randomBytes(16).toString('hex')}-${spanId}-00`;
}
