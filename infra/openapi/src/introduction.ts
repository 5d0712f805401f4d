import { errorStatuses } from '@lms/contracts/errors';

const codes = Object.entries(errorStatuses).map(([code, statuses]) => `\`${code}\` ${statuses.join(' or ')}`);

const description = `
Education content in four levels, videos and documents streamed after an access check, enrollment, mentors, progress and notes.

**Envelope.** Every response is JSON: \`{"success": true, "data": …, "message"?}\` or \`{"success": false, "error", "code", "details"?, "requestId"}\`; lists add \`pagination\` and a \`Link\` header, which leaves out what would exceed 6 KiB. Streamed bytes are the exception.

**Errors.** Codes and their statuses: ${codes.join(' · ')}. A \`VALIDATION_ERROR\` has \`details {field, message, value}\` (\`field\` is \`body\` for one that cannot be read), at status 422 also \`issues\` with all that is wrong. A \`FORBIDDEN\` has \`details {required, user_roles}\`, a \`CONFLICT\` \`details {resource, field, value}\`. A 404 names what is missing, also for an id that cannot exist. URLs may have 8 KiB.

**Bodies.** JSON objects in UTF-8 without \`Content-Encoding\`. No body is \`{}\` where every field is optional, else 422. What a GET says of a body is ignored.

**Who is calling.** A bearer token of the identity provider. Roles, status and plan come from this service, not from the token. A token that is sent is verified on public routes too.

**Lists.** \`page\` from 1, \`limit\` 1–100 (20 unless given), \`sort\` over the names each list knows, \`order\`. What is out of range is refused (422), never cut.

**Repeating safely.** A JSON POST with an \`Idempotency-Key\` (1–128 printable characters) can be repeated for 24 hours: the same key, caller, path and body get the first 2xx answer again, with \`Idempotency-Replayed: true\`.

**Limits.** \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (Unix seconds) on every counted answer; over the limit 429 with \`Retry-After\`. Monthly quotas by plan tell themselves in \`X-Quota-*\`.
`.trim();

/** What a reader of the reference meets first. */
export const introduction = {
  info: {
    title: 'Learning management service',
    version: '1.0.0',
    description,
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
      '`t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`; Standard Webhooks and Svix headers are understood too',
  },
};

export const tags: Record<string, string> = {
  audit: 'What administrators changed',
  auth: 'The caller: synchronisation, profile, usage',
  content: 'Levels, grades, subjects and topics',
  documents: 'Documents of a topic',
  enrollment: 'Asking for enrollment, and one’s own enrollments',
  'enrollment review': 'Decisions on enrollments',
  learning: 'Completion, positions, progress and notes',
  mentor: 'Mentor applications and mentors’ subjects',
  users: 'People, roles, plans and status',
  videos: 'The video of a topic',
  webhooks: 'What the identity provider tells',
};
