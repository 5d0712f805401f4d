import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id } from '@lms/contracts/ids';
import { OneOf } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { placementStatuses } from './enroll-users.ts';
import { maxLineBytes, maxRosterLines, rosterColumns } from './parse-roster.ts';

export const maxRosterBytes = 4 * 1024 * 1024;

const LineResult = Type.Object(
  {
    line: Type.Integer({
      description: 'The number of the line in the file; that of its last line, if values contain line breaks',
    }),
    ok: Type.Boolean(),
    enrollmentId: Type.Optional(Id),
    status: Type.Optional(
      OneOf(placementStatuses, {
        description:
          '`created`: a new enrollment; `approved`: a pending request was approved; `unchanged`: the user was already enrolled',
      }),
    ),
    code: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
  },
  { title: 'RosterLineResult' },
);

const Counts = Type.Object({
  lines: Type.Integer(),
  created: Type.Integer(),
  approved: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer(),
});

const File = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

export const importMessage = ({
  lines,
  created,
  approved,
  unchanged,
}: { [K in keyof typeof Counts.properties]: number }) =>
  `${created + approved + unchanged} of ${lines} lines are enrolled`;

export const importRoster = {
  tags: ['Enrollment review'],
  security: [{ bearer: [] as string[] }],
  operationId: 'importRoster',
  summary: 'Enroll the users of a roster',
  description: `A CSV file (RFC 4180, UTF-8, with or without a byte order mark, lines that end with CRLF or LF) as the part \`file\` of a form, or as the body with the type \`text/csv\`. At most ${maxRosterBytes / 1024 / 1024} MiB (413) and ${maxRosterLines} lines of at most ${maxLineBytes} bytes (422). The first line names the columns, in any order: ${rosterColumns.map((column) => `\`${column}\``).join(', ')}. One of \`email\` and \`userId\` and one of \`subjectId\` and \`subjectExternalId\` are required; a line that has both must mean the same user or subject. \`email\` finds users by their verified e-mail only. \`expiresAt\` is a date or time in the future, in ISO 8601. An apostrophe before \`=\`, \`+\`, \`-\`, \`@\` or a control character, as spreadsheets expect it, is removed. An unknown column, a missing header or malformed CSV returns 422, and nothing is changed.

Each line has its own result, in the order of the file: a line that is invalid (\`VALIDATION_ERROR\`), or whose user or subject is unknown, deleted or not live (\`NOT_FOUND\`), does not affect the others. A user who is not enrolled gets an APPROVED enrollment with the source ADMIN, and a pending request is approved. A user who is already enrolled stays enrolled, with the same \`expiresAt\`. So a repetition of the request changes nothing, and needs no \`Idempotency-Key\`. The response is written while the lines are imported, 500 of them in one transaction. If the import is interrupted, the lines that are left fail with \`SERVICE_UNAVAILABLE\`, or, if none was imported, the response is 503: repeat the request.

With \`dryRun=true\` the results are the same, but nothing is changed.`,
  consumes: ['multipart/form-data', 'text/csv'],
  querystring: Type.Object({ dryRun: Type.Optional(Type.Boolean()) }),
  body: {
    content: {
      'multipart/form-data': { schema: Type.Object({ file: File }) },
      'text/csv': { schema: Type.String() },
    },
  },
  response: {
    200: Success(
      Type.Object({ dryRun: Type.Boolean(), counts: Counts, results: Type.Array(LineResult) }),
      importMessage({ lines: 3, created: 1, approved: 1, unchanged: 0, failed: 1 }),
    ),
    ...errorResponses(400, 401, 403, 413, 415, 422, 503),
  },
};
