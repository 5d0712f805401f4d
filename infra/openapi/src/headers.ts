import type { Operation } from './read-documents.ts';

/** The properties of a route that decide on its headers. */
export type Traits = ReturnType<typeof traitsOf>;

export function traitsOf(method: string, operation: Operation) {
  const { parameters = [], responses, requestBody, security } = operation;
  const isRead = method === 'get';
  const isSigned = security.some((requirement) => 'webhookSignature' in requirement);
  const sent = Object.keys(requestBody?.content ?? {});
  const returned = Object.keys(responses[200]?.content ?? {});
  // Files that are written while they are sent have no entity tag and no ranges.
  const isCsv = returned.includes('text/csv');
  return {
    isRead,
    isSigned,
    isCsv,
    isList: parameters.some(({ name }) => name === 'page'),
    isDownload: 206 in responses,
    hasFileName: 206 in responses || isCsv || returned.includes('application/zip'),
    // Uploads and webhooks do not take an Idempotency-Key.
    isRepeatable:
      (method === 'post' && !isSigned && (sent.length === 0 || sent.includes('application/json'))) ||
      'x-repeatable' in operation,
    /** Whether a success has an entity tag. Reads are conditional on it. */
    isTagged: (isRead && 200 in responses && !isCsv) || 'x-tagged' in operation,
    isPersonal: security.some((requirement) => 'bearer' in requirement),
  };
}

/** The headers of a response, by its status. */
export function headersOf(status: string, traits: Partial<Traits>) {
  const succeeds = status.startsWith('2');
  const hasRows = succeeds || status === '304';
  const names = {
    'X-Request-Id X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset': true,
    'X-Quota-Limit X-Quota-Remaining X-Quota-Reset': traits.isPersonal,
    'WWW-Authenticate': status === '401',
    'Retry-After': ['423', '429', '503'].includes(status) || (status === '202' && traits.isRead),
    ETag: hasRows && status !== '202' && traits.isTagged,
    Link: hasRows && traits.isList,
    'Idempotency-Replayed': succeeds && traits.isRepeatable,
    'Last-Modified Accept-Ranges': succeeds && traits.isDownload,
    'Content-Disposition': succeeds && traits.hasFileName,
    'Content-Range': status === '206' || status === '416',
  };
  const present = Object.entries(names).flatMap(([name, isPresent]) => (isPresent ? name.split(' ') : []));
  return Object.fromEntries(present.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The shared parameters of an operation: headers of requests. */
export function headerParametersOf({ isRead, isDownload, isRepeatable, isTagged }: Traits) {
  const names = {
    IdempotencyKey: isRepeatable,
    IfNoneMatch: isRead && isTagged,
    IfMatch: isDownload,
    Range: isDownload,
    IfRange: isDownload,
  };
  return Object.entries(names).flatMap(([name, isTaken]) =>
    isTaken ? [{ $ref: `#/components/parameters/${name}` }] : [],
  );
}
