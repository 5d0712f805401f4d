import { gradeLevels } from '@lms/contracts/curriculum';
import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { maxLengths, Name, Nullable, OneOf, RequiredText, Text, Timestamp, WebUrl } from '@lms/contracts/text';
import { type TProperties, Type } from '@sinclair/typebox';
import { kinds } from './kinds.ts';
import { sortable } from './list-repository.ts';
import { contentLimit, nodeSchema, ofEachKind } from './node-schemas.ts';
import { maxPosition } from './repository.ts';
import type { Kind } from './table.ts';

const adminRoute = { tags: ['Course administration'], security: [{ bearer: [] as string[] }] };

const position = Type.Integer({
  minimum: 0,
  maximum: maxPosition,
  description: 'The position among the siblings; last by default',
  examples: [0],
});
const flags = { isActive: Type.Optional(Type.Boolean()), position: Type.Optional(position) };
const externalId = RequiredText(maxLengths.externalId, {
  description:
    'An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.',
  examples: ['math-7'],
});
const imageUrl = Type.Optional(Nullable(WebUrl({ examples: ['https://pictures.example/school.png'] })));
const parentId = Type.String({ description: 'Returns 404 if no such parent exists', examples: Id.examples });
const mentor = {
  mentorId: Type.Optional(
    Nullable(RequiredText(255, { description: "The mentor's identity-provider user id", examples: ['user_2b1c'] })),
  ),
  mentorEmail: Type.Optional(
    Nullable(RequiredText(320, { pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['mentor@lms.test'] })),
  ),
};

/** The `message` of each response. */
export const messages = {
  created: (kind: Kind) => `${kinds[kind].title} created`,
  updated: (kind: Kind) => `${kinds[kind].title} updated`,
  deleted: (kind: Kind) => `${kinds[kind].title} deleted`,
  notDeleted: 'Dry run: nothing was deleted',
  restored: (kind: Kind) => `${kinds[kind].title} restored`,
  reordered: (kind: Kind) => `${kinds[kind].title}s reordered`,
  mentorAssigned: 'Mentor assigned',
  mentorRemoved: 'Mentor removed',
};

const named = { name: Name(), externalId: Type.Optional(Nullable(externalId)) };
const described = { ...named, description: RequiredText(maxLengths.description) };
/** The body fields of each kind; a create requires those that are not optional. */
const columns = {
  level: { ...described, ...flags, imageUrl },
  grade: {
    ...named,
    description: Type.Optional(Text(maxLengths.description)),
    level: OneOf(gradeLevels),
    educationLevelId: parentId,
    ...flags,
    imageUrl,
  },
  subject: { ...described, gradeId: parentId, ...flags, imageUrl, ...mentor },
  topic: { ...described, content: RequiredText(maxLengths.content), subjectId: parentId, ...flags },
} satisfies Record<Kind, TProperties>;

const partial = (kind: Kind) => Type.Partial(Type.Object(columns[kind]), { minProperties: 1 });

/** The body fields of all kinds; the schemas allow each kind only its own. */
export interface NodeBody {
  name: string;
  externalId?: string | null;
  description?: string;
  imageUrl?: string | null;
  level?: (typeof gradeLevels)[number];
  content?: string;
  mentorId?: string | null;
  mentorEmail?: string | null;
  isActive?: boolean;
  position?: number;
  educationLevelId?: string;
  gradeId?: string;
  subjectId?: string;
}

const defaults = { sort: 'position', order: 'asc' } as const;
const ancestor = Type.Optional(Type.String({ minLength: 1 }));
const filters = {
  search: Search,
  ...dateFilters,
  externalId: Type.Optional(externalId),
  isActive: Type.Optional(Type.Boolean()),
  includeDeleted: Type.Optional(Type.Boolean({ description: 'Includes deleted items that are not purged yet' })),
};
const inLevel = { educationLevelId: ancestor };
const inGrade = { ...inLevel, gradeId: ancestor };
const listQueries = {
  level: PageQuery(sortable, defaults, filters),
  grade: PageQuery(sortable, defaults, { ...filters, ...inLevel, level: Type.Optional(OneOf(gradeLevels)) }),
  subject: PageQuery(sortable, defaults, { ...filters, ...inGrade }),
  topic: PageQuery(sortable, defaults, { ...filters, ...inGrade, subjectId: ancestor }),
};

const paramsOf = (kind: Kind) => idParams(kinds[kind].label);

export const listManagedNodes = ofEachKind((kind) => ({
  operationId: `listManaged${kinds[kind].title}s`,
  summary: `Lists ${kinds[kind].plural} of all states`,
  description: `A flat list over all parents. Deleted items are excluded unless \`includeDeleted\` is true. An unknown ancestor returns an empty list. \`search\` matches names and descriptions.${contentLimit(kind)}`,
  ...adminRoute,
  querystring: listQueries[kind],
  response: { 200: Page(nodeSchema(kind)), ...errorResponses(401, 403, 422, 503) },
}));

export const getManagedNode = ofEachKind((kind) => ({
  operationId: `getManaged${kinds[kind].title}`,
  summary: `Returns one ${kind} in any state`,
  description: 'Includes inactive and deleted items.',
  ...adminRoute,
  params: paramsOf(kind),
  response: { 200: Success(nodeSchema(kind)), ...errorResponses(401, 403, 404, 503) },
}));

/** Part of the schema of a route that responds with the `ETag` of the item, although it is no read. */
const tagged = { 'x-tagged': true } as const;

export const createNode = ofEachKind((kind) => ({
  ...tagged,
  operationId: `create${kinds[kind].title}`,
  summary: `Creates a ${kind}`,
  description:
    kind === 'level'
      ? 'Returns 409 `CONFLICT` if another level has the same name or `externalId`. Names are compared exactly, in NFC; deleted levels do not count.'
      : 'Returns 404 if the parent does not exist, and 409 `CONFLICT` if a sibling has the same name, or another item of the kind the same `externalId`. Names are compared exactly, in NFC; deleted items do not count.',
  ...adminRoute,
  body: Type.Unsafe<NodeBody>(Type.Object(columns[kind])),
  response: {
    201: Success(nodeSchema(kind), messages.created(kind)),
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 503),
  },
}));

const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: "The `ETag` of an administrator's response; returns 412 if the item has changed" }),
  ),
});

export const updateNode = ofEachKind((kind) => ({
  ...tagged,
  operationId: `update${kinds[kind].title}`,
  summary: `Updates or moves a ${kind}`,
  description:
    kind === 'level'
      ? 'Updates the given fields; other fields keep their values. Returns 409 `CONFLICT` if another level has the same name or `externalId`.'
      : `Updates the given fields; other fields keep their values.${kind === 'subject' ? ' A `mentorId` without a `mentorEmail` clears the e-mail.' : ''} A new parent moves the item with everything below it, to the last position unless \`position\` is given. Returns 409 \`CONFLICT\` if a sibling has the same name, or another item of the kind the same \`externalId\`.`,
  ...adminRoute,
  params: paramsOf(kind),
  headers: IfMatch,
  body: Type.Unsafe<Partial<NodeBody>>(partial(kind)),
  response: {
    200: Success(nodeSchema(kind), messages.updated(kind)),
    ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 422, 503),
  },
}));

const Deletion = Type.Object(
  {
    id: Id,
    deletedAt: Nullable(Timestamp()),
    deleted: Type.Object(
      { grades: Type.Integer(), subjects: Type.Integer(), topics: Type.Integer() },
      { description: 'The number of descendants deleted with the item' },
    ),
  },
  { title: 'Deletion' },
);

export const deleteNode = ofEachKind((kind) => ({
  operationId: `delete${kinds[kind].title}`,
  summary: kind === 'topic' ? 'Deletes a topic' : `Deletes a ${kind} and everything below it`,
  description:
    'A soft delete: the item can be restored until it is purged, and its name can be used again at once. With `dryRun=true` nothing is deleted: the response has the counts, and `deletedAt` is null.',
  ...adminRoute,
  params: paramsOf(kind),
  headers: IfMatch,
  querystring: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
  response: { 200: Success(Deletion, messages.deleted(kind)), ...errorResponses(401, 403, 404, 412, 422, 503) },
}));

export const restoreNode = ofEachKind((kind) => ({
  ...tagged,
  operationId: `restore${kinds[kind].title}`,
  summary: `Restores a deleted ${kind}`,
  description:
    'Restores exactly the items that were deleted together with it, each with its former `isActive`. Returns 404 if the parent is deleted, 409 `CONFLICT` if a sibling now has the same name or another item the same `externalId`, and 409 `INVALID_STATE` if the item is not deleted.',
  ...adminRoute,
  params: paramsOf(kind),
  response: { 200: Success(nodeSchema(kind), messages.restored(kind)), ...errorResponses(401, 403, 404, 409, 503) },
}));

export const reorderNodes = ofEachKind((kind) => {
  // Not the type null alone, which generated clients cannot send.
  const parent = kinds[kind].parent === null ? Nullable(Type.String({ description: 'Null' })) : parentId;
  const ids = Type.Array(Type.String(), { maxItems: 5_000 });
  const order = Type.Object({ parentId: parent, ids });
  return {
    operationId: `reorder${kinds[kind].title}s`,
    summary: `Reorders ${kinds[kind].plural}`,
    description:
      '`ids` lists all undeleted children of the parent in their new order, at most 5,000. Returns 422 with one issue per missing, duplicate or unrelated id. A parent can have more children, through imports: change their order with `position` in an import or in updates of single items.',
    ...adminRoute,
    body: Type.Unsafe<{ parentId: string | null; ids: string[] }>(order),
    response: {
      200: Success(Type.Object({ parentId: Nullable(Id), ids: Type.Array(Id) }), messages.reordered(kind)),
      ...errorResponses(400, 401, 403, 404, 415, 422, 503),
    },
  };
});

export const assignSubjectMentor = {
  ...tagged,
  operationId: 'assignSubjectMentor',
  summary: "Sets or removes a subject's mentor",
  description:
    'Replaces the assignment; a field that is not given is cleared. An assignment with `mentorEmail` only belongs to the mentor who has verified that e-mail.',
  ...adminRoute,
  params: paramsOf('subject'),
  headers: IfMatch,
  body: Type.Object(mentor, { minProperties: 1 }),
  response: {
    200: Success(nodeSchema('subject'), messages.mentorAssigned),
    ...errorResponses(400, 401, 403, 404, 412, 415, 422, 503),
  },
};
