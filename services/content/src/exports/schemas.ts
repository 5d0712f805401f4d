import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, OneOf, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { kindNames } from '../hierarchy/table.ts';
import { exportFormats, exportStatuses } from './table.ts';

const shownStatuses = [...exportStatuses, 'expired'] as const;
const adminRoute = { tags: ['Import and export'], security: [{ bearer: [] as string[] }] };
const Format = OneOf(exportFormats, {
  description:
    '`json`: curriculum.json. `zip`: the same with videos, captions and documents. `csv`: the outline. `imscc`: an IMS Common Cartridge 1.3',
  examples: ['zip'],
});
const RootType = OneOf(kindNames, { examples: ['subject'] });

export const Export = Type.Object(
  {
    id: Id,
    status: OneOf(shownStatuses, { examples: ['completed'] }),
    percent: Type.Integer({ minimum: 0, maximum: 100, examples: [100] }),
    format: Format,
    rootType: Nullable(RootType),
    rootId: Nullable(Id),
    includeMedia: Type.Boolean(),
    fileName: Type.String({ examples: ['curriculum-2026-01-31.zip'] }),
    size: Nullable(Type.Integer({ description: 'Bytes; null until completed' })),
    checksum: Nullable(Type.String({ description: '`sha256:` and the hash; null until completed' })),
    error: Nullable(Type.String({ description: 'Why it failed' })),
    downloadUrl: Nullable(
      Type.String({
        description: 'Works without signing in until `expiresAt`; each request of the export returns a new one',
      }),
    ),
    expiresAt: Nullable(Timestamp({ description: 'When `downloadUrl` ends to work' })),
    availableUntil: Nullable(Timestamp({ description: 'When the file is removed: 24 hours after its completion' })),
    createdBy: Id,
    createdAt: Timestamp(),
    finishedAt: Nullable(Timestamp()),
  },
  { title: 'Export' },
);

export const messages = { created: 'Export created' };

export const createExport = {
  operationId: 'createExport',
  summary: 'Starts an export of the curriculum or of a part of it',
  description:
    'Exports everything that is not deleted, as of one moment; inactive items have `isActive: false`. With `rootType` and `rootId` only that item, with its ancestors and everything below it. `includeMedia` adds videos, captions and documents to `zip` and `imscc`. The export runs in the background: request it until its `status` is `completed`, then download the file. Importing it into an empty system and exporting again gives the same bytes, except for ids.',
  ...adminRoute,
  body: Type.Object({
    format: Format,
    rootType: Type.Optional(Nullable(RootType)),
    rootId: Type.Optional(Nullable(Type.String({ examples: Id.examples }))),
    includeMedia: Type.Optional(Type.Boolean({ default: false })),
  }),
  response: { 202: Success(Export, messages.created), ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 503) },
};

export const listExports = {
  operationId: 'listExports',
  summary: 'Lists the exports of the last days',
  description: 'Exports are listed for seven days after they ended. `search` matches formats and types of roots.',
  ...adminRoute,
  querystring: PageQuery(
    ['createdAt'],
    { sort: 'createdAt', order: 'desc' },
    { status: Type.Optional(OneOf(shownStatuses)), search: Search, ...dateFilters },
  ),
  response: { 200: Page(Export), ...errorResponses(401, 403, 422, 503) },
};

export const getExport = {
  operationId: 'getExport',
  summary: 'Returns an export, with the address of its file',
  description: '`percent` rises while it runs. A completed export has a new `downloadUrl` in each response.',
  ...adminRoute,
  params: idParams('Export'),
  response: { 200: Success(Export), ...errorResponses(401, 403, 404, 503) },
};

const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });
const Download = { description: 'The file', content: { '*/*': { schema: Bytes } } };
const download = {
  tags: ['Import and export'],
  security: [] as never[],
  params: idParams('Export'),
  querystring: Type.Object({
    token: Type.String({
      maxLength: 200,
      description: 'Part of `downloadUrl`',
      examples: ['1769860800000.signature'],
    }),
  }),
  response: {
    200: Download,
    206: Download,
    304: Type.Null(),
    ...errorResponses(401, 403, 404, 412, 416, 422, 429, 503),
  },
};

export const downloadExport = {
  operationId: 'downloadExport',
  summary: 'Returns the file of an export',
  description:
    'The address of `downloadUrl`, which contains its permission: no bearer token is needed. `Repr-Digest` has the SHA-256 hash. Returns 404 if the address has expired or the file was removed, and 429 or 503 with `Retry-After` while too many downloads are in progress. A client that stops reading for 150 seconds is disconnected.',
  ...download,
};
export const headExport = {
  ...download,
  operationId: 'headExport',
  summary: 'Returns the headers of the file of an export',
};
