import { randomBytes } from 'node:crypto';

/** W3C Trace Context: https://www.w3.org/TR/trace-context/#traceparent-header. */
export const traceparentHeader = 'traceparent';

const pattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the header's value if it is valid. */
export const readTraceparent = (value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** Creates a traceparent where no trace is recorded. The trace id is the request id if that is a UUID. */
export function traceparentOf(requestId: string | null | undefined): string {
  const digits = requestId?.replaceAll('-', '') ?? '';
  const spanId = randomBytes(8).toString('hex');
  return readTraceparent(`00-${digits}-${spanId}-00`) ?? `00-${randomBytes(16).toString('hex')}-${spanId}-00`;
}
