import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

const description = `
Courses in four levels (education level, grade, subject, topic), videos and documents that are streamed after an access check, enrollment, mentors, progress and notes.

**Envelope.** Every response is JSON: \`{"success": true, "data": …, "message"?}\` or \`{"success": false, "error", "code", "details"?, "requestId"}\`; lists add \`pagination\` and a \`Link\` header (links that would exceed 6 KiB are omitted). Videos, documents and this document have no envelope.

**Errors.** Every error has a \`code\`, on which its \`details\` depend. The responses of each operation list them. A \`VALIDATION_ERROR\` has \`details {field, message, value}\` (\`field\` is \`body\` for a body that cannot be parsed); at status 422 \`issues\` lists all problems. A \`FORBIDDEN\` has \`details {required, user_roles}\`, a \`CONFLICT\` \`details {resource, field, value}\`. The text of a 404 names the resource, also for malformed ids. URLs are limited to 8 KiB. A method that a path does not have is a 405 with \`Allow\`, and headers of more than 16 KiB are a 431.

**Bodies.** JSON objects in UTF-8 without \`Content-Encoding\`. An empty body counts as \`{}\` if every field is optional; otherwise it is a 422. The body and content headers of a GET are ignored.

**Authentication.** Send a bearer token of the identity provider. Roles, status and plan come from this service, not from the token. A token that is sent is verified on public routes, too.

**Lists.** \`page\` from 1, \`limit\` 1–100 (default 20), \`sort\` by one of the names that the list accepts, \`order\`. Out-of-range values return 422; they are never clamped.

**Idempotency.** A JSON POST with an \`Idempotency-Key\` (1–128 printable characters) can be repeated for 24 hours: the same key, caller, path and body return the first 2xx response again, with \`Idempotency-Replayed: true\`. While the first request runs, a repetition is a 409 \`CONFLICT\`; with another body it is a 422. Decisions of administrators take the key as well.

**Limits.** \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (Unix seconds) are on every counted response; requests over the limit return 429 with \`Retry-After\`. \`X-Quota-*\` headers show the monthly quota of the caller's plan.
`.trim();

/** The beginning of the reference. */
export const introduction = {
  info: {
    title: 'Learning management service',
    version: String(manifest.version),
    description,
    contact: { name: 'The operators of this service' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'This gateway' }],
};

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A token of the system's identity provider",
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Signature',
    description:
      '`t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`; Standard Webhooks and Svix headers are accepted, too',
  },
};
