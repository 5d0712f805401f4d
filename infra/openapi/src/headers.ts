import type { Operation } from './ask-service.ts';

const integer = { type: 'integer' };
const header = (description: string, schema: object = { type: 'string' }) => ({ description, schema });

/** What answers say beside their bodies. */
export const headers = {
  'X-Request-Id': header('The id of this request; the body of an error repeats it'),
  'X-RateLimit-Limit': header('Requests a minute, of the tightest limit that applied', integer),
  'X-RateLimit-Remaining': header('How many of them are left', integer),
  'X-RateLimit-Reset': header('When they are counted anew, in Unix seconds', integer),
  'X-Quota-Limit': header("What the caller's plan allows a month; absent where nothing limits it", integer),
  'X-Quota-Remaining': header('How much of it is left', integer),
  'X-Quota-Reset': header('When the next month begins, in Unix seconds', integer),
  'Retry-After': header('After how many seconds it is worth trying again', integer),
  'WWW-Authenticate': header('`Bearer`'),
  ETag: header('A strong tag of what is answered'),
  Link: header('RFC 8288: the pages `first`, `prev`, `next` and `last`'),
  'Idempotency-Replayed': header('`true` when this is the answer to an earlier request with the same key'),
  'Last-Modified': header('When the bytes came'),
  'Accept-Ranges': header('`bytes`'),
  'Content-Range': header('Which bytes these are, or `bytes */size`'),
  'Content-Disposition': header('Whether to show or to save it, and its name'),
};
export type HeaderName = keyof typeof headers;

const parameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description,
});

/** What requests may say beside their paths and bodies. */
export const parameters = {
  IdempotencyKey: {
    ...parameter(
      'Idempotency-Key',
      'Makes the request repeatable for 24 hours: under the same key and body its first 2xx answer is given again',
    ),
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  IfNoneMatch: parameter('If-None-Match', 'Tags that the caller holds already: 304 when one is still right'),
  IfMatch: parameter('If-Match', 'Tags of which one must be right; else 412'),
  Range: parameter('Range', 'One range of bytes, as in `bytes=0-1023`; all are answered where there are several'),
  IfRange: parameter('If-Range', 'The tag or date of the bytes held already: all are answered where it is another'),
};

/** What sort of route it is, as far as headers go. */
export interface Traits {
  isRead: boolean;
  isList: boolean;
  isDownload: boolean;
  isRepeatable: boolean;
  isTagged: boolean;
  isPersonal: boolean;
}

export function traitsOf(method: string, { parameters, responses, requestBody, security, tags }: Operation): Traits {
  const named = Array.isArray(parameters) ? parameters.map(({ name }) => String(name).toLowerCase()) : [];
  const isForm = Object(Object(requestBody).content)['multipart/form-data'] !== undefined;
  const isRead = method === 'get';
  return {
    isRead,
    isList: named.includes('page'),
    isDownload: Object(responses)[206] !== undefined,
    // Uploads and the provider's webhooks have ways of their own.
    isRepeatable: method === 'post' && !tags?.includes('webhooks') && !isForm,
    isTagged: isRead || named.includes('if-match'),
    isPersonal: security?.some((requirement) => 'bearer' in requirement) ?? false,
  };
}

const counted = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const charged = ['X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset'] as const;
const bytes = ['Last-Modified', 'Accept-Ranges', 'Content-Disposition'] as const;

/** The headers of an answer, by its status. */
export function headersOf(status: string, traits: Traits) {
  const succeeds = /^2/.test(status);
  const names: HeaderName[] = [
    ...counted,
    ...(traits.isPersonal ? charged : []),
    ...when(status === '401', 'WWW-Authenticate'),
    ...when(status === '429' || status === '503', 'Retry-After'),
    ...when((succeeds && traits.isTagged) || status === '304', 'ETag'),
    ...when(succeeds && traits.isList, 'Link'),
    ...when(succeeds && traits.isRepeatable, 'Idempotency-Replayed'),
    ...(succeeds && traits.isDownload ? bytes : []),
    ...when(status === '206' || status === '416', 'Content-Range'),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const parametersOf = ({ isRead, isDownload, isRepeatable }: Traits) =>
  [
    ...when(isRepeatable, 'IdempotencyKey'),
    ...when(isRead, 'IfNoneMatch'),
    ...(isDownload ? ['IfMatch', 'Range', 'IfRange'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));

const when = <const T extends string>(holds: boolean, name: T): T[] => (holds ? [name] : []);
