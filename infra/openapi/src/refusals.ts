import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorStatuses } from '@lms/contracts/errors';
import { OneOf } from '@lms/contracts/text';
import { type TSchema, Type } from '@sinclair/typebox';
import { errorCodes, exampleBody } from './error-codes.ts';
import { headersOf } from './headers.ts';

const statuses = [400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 416, 422, 423, 429, 460, 500, 503, 504].map(String);
// 460 is a status of the protocol for resumable uploads only.
const phraseOf = (status: string) => (status === '460' ? 'Checksum Mismatch' : (STATUS_CODES[status] ?? status));
const nameOf = (status: string) => phraseOf(status).replaceAll(' ', '');

/** `RATE_LIMITED` → `RateLimitedError` */
const titleOf = (code: string) =>
  `${code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`.replace(
    'ErrorError',
    'Error',
  );

/** An error is recognized by its code, on which its details depend. */
function schemaOf(code: ErrorCode): TSchema {
  const { details, cause } = errorCodes[code];
  return Type.Object(
    {
      success: Type.Literal(false),
      error: Type.String({ description: 'A message for humans' }),
      code: OneOf([code]),
      ...(details && { details }),
      requestId: Type.String({ description: 'The X-Request-Id of this response' }),
    },
    { title: titleOf(code), description: cause },
  );
}

function describe(status: string) {
  const codes = codesOf(status);
  const schemas = codes.map(schemaOf);
  const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas };
  return {
    description: `${phraseOf(status)}: ${codes.map((code) => `\`${code}\``).join(' or ')}`,
    headers: headersOf(status, { isPersonal: true }),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleBody(code) }])),
      },
    },
  };
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);
const codesOf = (status: string): ErrorCode[] =>
  Object.entries(errorStatuses)
    .filter(([, used]) => used.some((one) => String(one) === status))
    .flatMap(([code]) => (isCode(code) ? [code] : []));

/** Errors look the same on every route, so each status is described once. */
export const refusals = Object.fromEntries(statuses.map((status) => [nameOf(status), describe(status)]));

/** Where an error is described; undefined for what is none. @throws where one is not described */
export function refer(status: string) {
  if (Number(status) < 400) return undefined;
  if (!statuses.includes(status)) throw new Error(`${status} is not described`);
  return { $ref: `#/components/responses/${nameOf(status)}` };
}
