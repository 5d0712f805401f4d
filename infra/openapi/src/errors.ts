import { STATUS_CODES } from 'node:http';
import { ErrorEnvelope } from '@lms/contracts/envelope';
import { type ErrorDescription, errors } from '@lms/contracts/errors';
import { OneOf } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { headersOf } from './headers.ts';

const descriptions: [code: string, description: ErrorDescription][] = Object.entries(errors);

/** `RATE_LIMITED` → `RateLimitedError` */
const titleOf = (code: string) =>
  `${code.replace(/_ERROR$/, '').replace(/([A-Z])([A-Z]*)_?/g, (_, first, rest) => first + rest.toLowerCase())}Error`;

/** Errors with their schemas and examples. An error is recognized by its code, on which its details depend. */
const codes = descriptions.map(([code, { details, example, ...description }]) => {
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

const introduction = `# Error codes

<!-- Generated from packages/contracts/src/errors.ts: pnpm --filter openapi generate -->

Every error has this form. \`error\` is a message for humans and may change; \`code\` is for programs and does not. The \`code\` decides which \`details\` there are. \`requestId\` is also in the header \`X-Request-Id\` and in the logs of the service: include it when you report a problem.
`;

/** The page of all error codes for app developers. */
export const errorPage = [
  introduction,
  ...codes.map(
    ({ code, statuses, cause, remedy, example }) => `## ${code}

Status ${statuses.join(' or ')}. ${cause}

**Remedy:** ${remedy}

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`,
  ),
].join('\n');
