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
  // A 304 has the headers of the success that it replaces.
  const isCurrent = succeeds || status === '304';
  const names = [
    ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
    traits.isPersonal && ['X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset'],
    status === '401' && ['WWW-Authenticate'],
    (['423', '429', '503'].includes(status) || (status === '202' && traits.isRead)) && ['Retry-After'],
    isCurrent && status !== '202' && traits.isTagged && ['ETag'],
    isCurrent && traits.isList && ['Link'],
    succeeds && traits.isRepeatable && ['Idempotency-Replayed'],
    succeeds && traits.isDownload && ['Last-Modified', 'Accept-Ranges'],
    succeeds && traits.hasFileName && ['Content-Disposition'],
    (status === '206' || status === '416') && ['Content-Range'],
  ].flatMap((present) => present || []);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The shared parameters of an operation: headers of requests. */
export const headerParametersOf = ({ isRead, isDownload, isRepeatable, isTagged }: Traits) =>
  [
    isRepeatable && ['IdempotencyKey'],
    isRead && isTagged && ['IfNoneMatch'],
    isDownload && ['IfMatch', 'Range', 'IfRange'],
  ]
    .flatMap((present) => present || [])
    .map((name) => ({ $ref: `#/components/parameters/${name}` }));
