import { STATUS_CODES } from 'node:http';
import { ErrorEnvelope } from '@lms/contracts/envelope';
import { type ErrorDescription, errors } from '@lms/contracts/errors';
import { OneOf } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
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

/** The values of the rows whose condition is true. */
export const pick = <T>(rows: [condition: boolean | undefined, ...values: T[]][]): T[] =>
  rows.flatMap(([condition, ...values]) => (condition ? values : []));

/** The headers of a response, by its status. */
export function headersOf(status: string, traits: Partial<Traits>) {
  const succeeds = status.startsWith('2');
  // A 304 has the headers of the success that it replaces.
  const isCurrent = succeeds || status === '304';
  const names = pick([
    [true, 'X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
    [traits.isPersonal, 'X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Reset'],
    [status === '401', 'WWW-Authenticate'],
    [['423', '429', '503'].includes(status) || (status === '202' && traits.isRead), 'Retry-After'],
    [isCurrent && status !== '202' && traits.isTagged, 'ETag'],
    [isCurrent && traits.isList, 'Link'],
    [succeeds && traits.isRepeatable, 'Idempotency-Replayed'],
    [succeeds && traits.isDownload, 'Last-Modified', 'Accept-Ranges'],
    [succeeds && traits.hasFileName, 'Content-Disposition'],
    [status === '206' || status === '416', 'Content-Range'],
  ]);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** `RATE_LIMITED` → `RateLimitedError` */
const titleOf = (code: string) =>
  `${code.replace(/_ERROR$/, '').replace(/([A-Z])([A-Z]*)_?/g, (_, first, rest) => first + rest.toLowerCase())}Error`;

/** Errors with their schemas and examples. An error is recognized by its code, on which its details depend. */
const codes = Object.entries<ErrorDescription>(errors).map(([code, { details, example, ...description }]) => {
  const { success, error, requestId } = ErrorEnvelope.properties;
  const { error: message, ...more } = example;
  const options = { title: titleOf(code), description: description.cause };
  return {
    ...description,
    code,
    schema: Type.Object({ success, error, code: OneOf([code]), ...(details && { details }), requestId }, options),
    example: { success: false, error: message, code, ...more, requestId: '7f1d8a52-3c0b-4a9e-9d55-0c2b1e6f4a10' },
  };
});

// 460 is a status of the protocol for resumable uploads only.
const phrases: Record<string, string> = { ...STATUS_CODES, 460: 'Checksum Mismatch' };
const nameOf = (status: number | string) => String(phrases[status]).replaceAll(' ', '');

/** The responses of routes that are errors: they look the same on every route, so each status is described once. */
export const errorResponses = Object.fromEntries(
  [...new Set(codes.flatMap(({ statuses }) => statuses))]
    // These responses come before there is a route.
    .filter((status) => status !== 405 && status !== 431)
    .sort((a, b) => a - b)
    .map((status) => {
      const used = codes.filter(({ statuses }) => statuses.includes(status));
      const schemas = used.map(({ schema }) => schema);
      const examples = Object.fromEntries(used.map(({ code, example }) => [code, { value: example }]));
      const response = {
        description: `${phrases[status]}: ${used.map(({ code }) => `\`${code}\``).join(' or ')}`,
        headers: headersOf(String(status), { isPersonal: true }),
        content: { 'application/json': { schema: schemas.length > 1 ? { oneOf: schemas } : schemas[0], examples } },
      };
      return [nameOf(status), response];
    }),
);

/** Where an error is described; undefined for what is none. @throws if it is not described */
export function referToError(status: string) {
  if (status < '400') return undefined;
  if (!(nameOf(status) in errorResponses)) throw new Error(`${status} is not described`);
  return { $ref: `#/components/responses/${nameOf(status)}` };
}

/** The page of all error codes for app developers. */
export const errorPage = `# Error codes

<!-- Generated from packages/contracts/src/errors.ts: pnpm --filter openapi generate -->

Every error has this form. \`error\` is a message for humans and may change; \`code\` is for programs and does not. The \`code\` decides which \`details\` there are. \`requestId\` is also in the header \`X-Request-Id\` and in the logs of the service: include it when you report a problem.
${codes
  .map(
    ({ code, statuses, cause, remedy, example }) => `
## ${code}

Status ${statuses.join(' or ')}. ${cause}

**Remedy:** ${remedy}

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`,
  )
  .join('')}`;
