import { Curriculum, curriculumSchemaPath } from '@lms/contracts/curriculum';
import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, OneOf, Timestamp } from '@lms/contracts/text';
import { documentsLimit } from '@lms/contracts/topic-documents';
import { type Static, Type } from '@sinclair/typebox';
import { maxIssues } from './collect-issues.ts';
import { sortable } from './repository.ts';
import { importModes, importStatuses } from './table.ts';

const adminRoute = { tags: ['Import and export'], security: [{ bearer: [] as string[] }] };
const importRoute = { ...adminRoute, params: idParams('Import') };

const Count = (description: string) => Type.Integer({ description });

export const ImportIssue = Type.Object(
  {
    severity: OneOf(['error', 'warning'], { description: 'An error prevents the import' }),
    pointer: Type.Optional(
      Type.String({ description: 'A JSON pointer into the file', examples: ['/levels/0/grades/1/name'] }),
    ),
    line: Type.Optional(Type.Integer({ description: 'The line of a CSV file, or of the manifest of a cartridge' })),
    code: Type.String({ examples: ['DUPLICATE_NAME'] }),
    message: Type.String({ examples: ['The name occurs twice below the same parent'] }),
  },
  { title: 'ImportIssue' },
);

export const Import = Type.Object(
  {
    id: Id,
    status: OneOf(importStatuses, {
      description: '`importing` from the moment the outline is written: the files follow',
    }),
    mode: OneOf(importModes),
    dryRun: Type.Boolean(),
    fileName: Type.String({ examples: ['course.zip'] }),
    percent: Type.Integer({ examples: [100] }),
    counts: Type.Object({
      created: Count('Items that did not exist'),
      updated: Count('Items of which a field or the parent has changed'),
      unchanged: Count('Items that are as the file says'),
      deleted: Count('Items that a mirror deleted, with those below them'),
      media: Count('Videos, captions and documents that were stored; in a dry run, those that the file names'),
    }),
    issues: Type.Array(ImportIssue, { description: `The first ${maxIssues}` }),
    issueCount: Count('All issues'),
    createdBy: Id,
    createdAt: Timestamp(),
    finishedAt: Nullable(Timestamp()),
  },
  { title: 'Import' },
);

export const ImportRequestQuery = Type.Object({
  mode: OneOf(importModes, {
    default: 'upsert',
    description:
      '`create` fails if an item exists. `upsert` creates items and updates those that exist. `mirror` also deletes what is missing: the children that are not in the file, of items that list theirs.',
  }),
  dryRun: Type.Boolean({ default: false, description: 'Checks everything and counts, but changes nothing' }),
});
export type ImportRequestQuery = Static<typeof ImportRequestQuery>;

export const createImport = {
  ...adminRoute,
  operationId: 'createImport',
  summary: 'Imports a curriculum',
  description: `multipart/form-data with one file part \`file\`, at most 2 GiB, of a format that its extension names; or \`curriculum.json\` itself as a JSON body of at most 16 MiB.

- \`.json\`: \`curriculum.json\`, whose JSON Schema is at \`${curriculumSchemaPath}\`
- \`.zip\`: \`curriculum.json\` at the root of the archive, with the videos, captions and documents that it names beside it
- \`.csv\`: a row per item, with the columns \`level\`, \`grade\`, \`subject\`, \`topic\`, \`description\`, and optional \`content\`, \`category\` (the \`level\` of a grade) and \`externalId\`
- \`.imscc\`: an IMS Common Cartridge 1.0 to 1.3; what has no place in a curriculum becomes a warning

The file is checked as a whole first; with any error the import is \`failed\` and nothing has changed. Then all items are written in one transaction, and after that the files are stored one by one. A file that is refused there becomes a warning. An import survives restarts: it starts again, or goes on with the files that are left.

Items are matched by \`externalId\`, else by their name below their parent. A field that the file leaves out keeps its value. A document is matched by its name. ${documentsLimit}; an import that would exceed this is \`failed\`. An import in progress delays other changes of the curriculum while the items are written.

Archives with more than 20,000 entries, an entry or a whole that expands to more than 200 times its size, absolute paths, \`..\`, links, encrypted entries, names that are not UTF-8 or occur twice are refused: the import is \`failed\`, and the issue names the entry.

The response is sent once the file is received; a dry run responds with 200 and the result. Dry runs take turns: one whose turn does not come within nine seconds is a 503 with \`Retry-After\`. An upload that is cut off leaves nothing; send the file again.

An \`Idempotency-Key\` belongs to a path and a body, not to a query: a dry run and the import after it need different keys, and so do two modes.`,
  querystring: ImportRequestQuery,
  body: {
    content: {
      'application/json': { schema: Curriculum },
      'multipart/form-data': {
        schema: Type.Object({ file: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) }),
      },
    },
  },
  response: {
    200: Success(Import, 'Dry run: nothing was imported'),
    202: Success(Import, 'Import queued'),
    ...errorResponses(400, 401, 403, 408, 409, 413, 415, 422, 429, 503),
  },
};

export const listImports = {
  ...adminRoute,
  operationId: 'listImports',
  summary: 'Lists imports',
  description: 'By default the newest first. `search` matches file names. Imports are listed for 90 days.',
  querystring: PageQuery(
    sortable,
    { sort: 'createdAt', order: 'desc' },
    {
      search: Search,
      ...dateFilters,
      status: Type.Optional(OneOf(importStatuses)),
      mode: Type.Optional(OneOf(importModes)),
    },
  ),
  response: { 200: Page(Import), ...errorResponses(401, 403, 422, 503) },
};

export const getImport = {
  ...importRoute,
  operationId: 'getImport',
  summary: 'Returns an import',
  description: 'With its progress while it runs, and its result afterwards.',
  response: { 200: Success(Import), ...errorResponses(401, 403, 404, 503) },
};

export const cancelImport = {
  ...importRoute,
  operationId: 'cancelImport',
  summary: 'Cancels an import',
  description:
    'Before the items are written, nothing has changed. While the files are stored, the items and the files that are stored remain; `counts` says which. A running import stops within seconds: read it again for its status. Returns 409 `INVALID_STATE` if it has ended.',
  response: { 200: Success(Import, 'Import is being cancelled'), ...errorResponses(401, 403, 404, 409, 503) },
};
