import { STATUS_CODES } from 'node:http';
import { type ErrorDescription, errors } from '@lms/contracts/errors';
import { OneOf } from '@lms/contracts/text';
import { type TSchema, Type } from '@sinclair/typebox';
import { headersOf } from './headers.ts';

type NamedError = [code: string, description: ErrorDescription];
const namedErrors: NamedError[] = Object.entries(errors);

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
function schemaOf([code, { details, cause }]: NamedError): TSchema {
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

/** The body of an example. */
function exampleBody([code, { example }]: NamedError) {
  const { error, details } = example;
  const requestId = '7f1d8a52-3c0b-4a9e-9d55-0c2b1e6f4a10';
  return { success: false, error, code, ...(details !== undefined && { details }), requestId };
}

function describe(status: string) {
  const used = namedErrors.filter(([, { statuses }]) => statuses.includes(Number(status)));
  const schemas = used.map(schemaOf);
  const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas };
  return {
    description: `${phraseOf(status)}: ${used.map(([code]) => `\`${code}\``).join(' or ')}`,
    headers: headersOf(status, { isPersonal: true }),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(used.map((one) => [one[0], { value: exampleBody(one) }])),
      },
    },
  };
}

/** Errors look the same on every route, so each status is described once. */
export const refusals = Object.fromEntries(statuses.map((status) => [nameOf(status), describe(status)]));

/** Where an error is described; undefined for what is none. @throws where one is not described */
export function refer(status: string) {
  if (Number(status) < 400) return undefined;
  if (!statuses.includes(status)) throw new Error(`${status} is not described`);
  return { $ref: `#/components/responses/${nameOf(status)}` };
}

const errorPageIntroduction = `# Error codes

<!-- Generated from packages/contracts/src/errors.ts: pnpm --filter openapi generate -->

Every error has this form. \`error\` is a message for humans and may change; \`code\` is for programs and does not. The \`code\` decides which \`details\` there are. \`requestId\` is also in the header \`X-Request-Id\` and in the logs of the service: include it when you report a problem.
`;

/** The page of all error codes for app developers. */
export function toErrorPage(): string {
  const sections = namedErrors.map((named) => {
    const [code, { statuses, cause, remedy }] = named;
    const example = JSON.stringify(exampleBody(named), null, 2);
    return [
      `## ${code}`,
      `Status ${statuses.join(' or ')}. ${cause}`,
      `**Remedy:** ${remedy}`,
      `\`\`\`json\n${example}\n\`\`\``,
    ].join('\n\n');
  });
  return `${[errorPageIntroduction.trim(), ...sections].join('\n\n')}\n`;
}
