import type { Operation } from './service-documents.ts';

const integer = { type: 'integer' };
const header = (example: string | number, description: string) => ({
  description,
  schema: typeof example === 'number' ? integer : { type: 'string' },
  example,
});

/** Response headers. */
export const headers = {
  'X-Request-Id': header(
    '7f1d8a52-3c0b-4a9e-9d55-0c2b1e6f4a10',
    'The id of this request; the body of an error repeats it',
  ),
  'X-RateLimit-Limit': header(100, 'Requests per minute of the tightest limit that applied'),
  'X-RateLimit-Remaining': header(99, 'Requests left in this window'),
  'X-RateLimit-Reset': header(1_769_860_860, 'End of the window, in Unix seconds'),
  'X-Quota-Limit': header(1_000, "Monthly quota of the caller's plan; absent if there is none"),
  'X-Quota-Remaining': header(786, 'What is left of it'),
  'X-Quota-Reset': header(1_769_904_000, 'When the next month begins, in Unix seconds'),
  'Retry-After': header(2, 'Seconds to wait before the next attempt'),
  'WWW-Authenticate': header('Bearer', '`Bearer`'),
  ETag: header('"5d8c72a5edda8d6a"', 'Strong entity tag of the response'),
  Link: header(
    '</api/education/levels?page=1>; rel="first", </api/education/levels?page=1>; rel="last"',
    'RFC 8288: the pages `first`, `prev`, `next` and `last`',
  ),
  'Idempotency-Replayed': header('true', '`true` if this is the response to an earlier request with the same key'),
  'Last-Modified': header('Mon, 12 Jan 2026 12:00:00 GMT', 'Time of the upload'),
  'Accept-Ranges': header('bytes', '`bytes`'),
  'Content-Range': header('bytes 0-1023/1048576', 'The range of the bytes, or `bytes */size`'),
  'Content-Disposition': header('inline; filename="whole-numbers.pdf"', '`inline` or `attachment`, and the file name'),
};
export type HeaderName = keyof typeof headers;

const parameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description,
});

/** Request headers. */
export const parameters = {
  IdempotencyKey: {
    ...parameter(
      'Idempotency-Key',
      'Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again',
    ),
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  IfNoneMatch: parameter('If-None-Match', 'Entity tags of cached responses; 304 if one of them is current'),
  IfMatch: parameter('If-Match', 'Entity tags; 412 if none of them is current'),
  Range: parameter('Range', 'One range of bytes, as in `bytes=0-1023`; several ranges return the whole'),
  IfRange: parameter(
    'If-Range',
    'Entity tag or date of the bytes already downloaded; if it differs, the whole is returned',
  ),
};

/** The properties of a route that decide on its headers. */
export interface Traits {
  isRead: boolean;
  isList: boolean;
  isDownload: boolean;
  isRepeatable: boolean;
  /** Whether a success has an entity tag. Reads are conditional on it. */
  isTagged: boolean;
  /** A file that is written while it is sent: it has no entity tag and no ranges. */
  isCsv: boolean;
  isArchive: boolean;
  isPersonal: boolean;
}

export function traitsOf(method: string, operation: Operation): Traits {
  const { parameters, responses, requestBody, security, tags } = operation;
  const named = Array.isArray(parameters) ? parameters.map(({ name }) => String(name).toLowerCase()) : [];
  const contentTypes = Object.keys(Object(Object(requestBody).content));
  const isUpload =
    !contentTypes.includes('application/json') &&
    contentTypes.some((type) => type.startsWith('multipart/') || type === 'application/offset+octet-stream');
  const isRead = method === 'get';
  const whole = Object(responses)[200];
  const isCsv = whole?.content?.['text/csv'] !== undefined;
  return {
    isRead,
    isList: named.includes('page'),
    isDownload: Object(responses)[206] !== undefined,
    // Uploads and webhooks do not take an Idempotency-Key.
    isRepeatable: (method === 'post' && !tags?.includes('webhooks') && !isUpload) || 'x-repeatable' in operation,
    isTagged: (isRead && whole !== undefined && !isCsv) || 'x-tagged' in operation,
    isCsv,
    isArchive: whole?.content?.['application/zip'] !== undefined,
    isPersonal: security?.some((requirement) => 'bearer' in requirement) ?? false,
  };
}

const counted = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const charged = ['X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset'] as const;
const bytes = ['Last-Modified', 'Accept-Ranges', 'Content-Disposition'] as const;

/** The headers of a response, by its status. */
export function headersOf(status: string, traits: Partial<Traits>) {
  const succeeds = /^2/.test(status);
  const names: HeaderName[] = [
    ...counted,
    ...(traits.isPersonal ? charged : []),
    ...when(status === '401', 'WWW-Authenticate'),
    ...when(['423', '429', '503'].includes(status) || (status === '202' && traits.isRead), 'Retry-After'),
    ...when((succeeds && status !== '202' && traits.isTagged) || status === '304', 'ETag'),
    ...when((succeeds || status === '304') && traits.isList, 'Link'),
    ...when(succeeds && traits.isRepeatable, 'Idempotency-Replayed'),
    ...(succeeds && traits.isDownload ? bytes : []),
    ...when(succeeds && (traits.isCsv || traits.isArchive), 'Content-Disposition'),
    ...when(status === '206' || status === '416', 'Content-Range'),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const parametersOf = ({ isRead, isDownload, isRepeatable, isTagged }: Traits) =>
  [
    ...when(isRepeatable, 'IdempotencyKey'),
    ...when(isRead && isTagged, 'IfNoneMatch'),
    ...(isDownload ? ['IfMatch', 'Range', 'IfRange'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));

const when = <const T extends string>(holds: boolean | undefined, name: T): T[] => (holds ? [name] : []);
