import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { maxLengths, Name, Nullable, OneOf, RequiredText, Text, Timestamp, WebUrl } from '@lms/contracts/text';
import { type TProperties, Type } from '@sinclair/typebox';
import { kinds } from './kinds.ts';
import { sortable } from './list-repository.ts';
import { gradeLevels, maxRelated, nodeSchema, nodeWithRelationSchema, TreeLevel } from './node-schemas.ts';
import type { Kind } from './table.ts';

const tags = ['content'];
const publicRoute = { tags, security: [{}, { bearer: [] as string[] }] };
const adminRoute = { tags, security: [{ bearer: [] as string[] }] };

const position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'Where it stands; last by default',
  examples: [0],
});
const flags = { isActive: Type.Optional(Type.Boolean()), position: Type.Optional(position) };
const imageUrl = Type.Optional(Nullable(WebUrl({ examples: ['https://pictures.example/school.png'] })));
const parentId = Type.String({ description: 'An unknown one is a 404', examples: Id.examples });
const mentor = {
  mentorId: Type.Optional(
    Nullable(RequiredText(255, { description: "The mentor's identity-provider user id", examples: ['user_2b1c'] })),
  ),
  mentorEmail: Type.Optional(
    Nullable(RequiredText(320, { pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['mentor@lms.test'] })),
  ),
};

/** What the response of a change says for people. */
export const messages = {
  created: (kind: Kind) => `${kinds[kind].title} created`,
  updated: (kind: Kind) => `${kinds[kind].title} updated`,
  deleted: (kind: Kind) => `${kinds[kind].title} deleted`,
  notDeleted: 'Nothing was deleted, only counted',
  restored: (kind: Kind) => `${kinds[kind].title} restored`,
  reordered: (kind: Kind) => `${kinds[kind].title}s reordered`,
  mentorAssigned: 'Mentor assigned',
  mentorRemoved: 'Mentor removed',
};

/** What a kind's body may say, and which of it must be said at creation. */
const named = { name: Name() };
const described = { ...named, description: RequiredText(maxLengths.description) };
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

/** A body for any kind: the schema sees to it that only the kind's own fields are there. */
export interface NodeBody {
  name: string;
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

const filters = { search: Search, ...dateFilters };
const defaults = { sort: 'position', order: 'asc' } as const;
const NodesQuery = PageQuery(sortable, defaults, filters);
const GradesQuery = PageQuery(sortable, defaults, { ...filters, level: Type.Optional(OneOf(gradeLevels)) });

const ancestor = Type.Optional(Type.String());
const states = {
  ...filters,
  isActive: Type.Optional(Type.Boolean()),
  includeDeleted: Type.Optional(Type.Boolean({ description: 'Deleted ones too, until they are purged' })),
};
const inLevel = { educationLevelId: ancestor };
const inGrade = { ...inLevel, gradeId: ancestor };
const managedQueries = {
  level: PageQuery(sortable, defaults, states),
  grade: PageQuery(sortable, defaults, { ...states, ...inLevel, level: Type.Optional(OneOf(gradeLevels)) }),
  subject: PageQuery(sortable, defaults, { ...states, ...inGrade }),
  topic: PageQuery(sortable, defaults, { ...states, ...inGrade, subjectId: ancestor }),
};

const paramsOf = (kind: Kind) => idParams(kinds[kind].label);

export const listNodes = (kind: Kind) => ({
  operationId: `list${kinds[kind].title}s`,
  summary: `Lists ${kinds[kind].plural}`,
  description:
    'Active items with active ancestors only, in the order of `position`, then `name`. `search` looks into names and descriptions.',
  ...publicRoute,
  ...(kinds[kind].parent !== null && { params: paramsOf(kinds[kind].parent) }),
  querystring: kind === 'grade' ? GradesQuery : NodesQuery,
  response: { 200: Page(nodeSchema(kind)), ...errorResponses(401, 403, 404, 422, 503) },
});

export const getNode = (kind: Kind) => ({
  operationId: `get${kinds[kind].title}`,
  summary: `One ${kind}`,
  description:
    kind === 'topic'
      ? 'The outline is for all; `content`, `videoUrl` and `documents` are for the entitled, as `access` tells.'
      : 'Active, with active ancestors; else 404.',
  ...publicRoute,
  params: paramsOf(kind),
  querystring: relationQuery(kind),
  response: { 200: Success(nodeWithRelationSchema(kind)), ...errorResponses(401, 403, 404, 422, 503) },
});

/** One relation, one generation down: the tree has the outline of everything. */
function relationQuery(kind: Kind) {
  const { child } = kinds[kind];
  const relation = child === null ? Type.Never({ description: 'Topics have no relations: 422' }) : relationTo(child);
  return Type.Object({ include: Type.Optional(Type.Unsafe<string>(relation)) });
}

const relationTo = (child: Kind) =>
  OneOf([kinds[child].plural], {
    description: `Adds \`${kinds[child].plural}\`: the outline of the active ones, in the order of \`position\`, then \`name\`, at most ${maxRelated}. Another relation is a 422; for more than one generation read the tree.`,
  });

export const listManagedNodes = (kind: Kind) => ({
  operationId: `listManaged${kinds[kind].title}s`,
  summary: `Lists ${kinds[kind].plural} in every state`,
  description:
    'Flat, over all parents. An unknown ancestor gives an empty list; deleted ones are left out unless asked for. `search` looks into names and descriptions.',
  ...adminRoute,
  querystring: managedQueries[kind],
  response: { 200: Page(nodeSchema(kind)), ...errorResponses(401, 403, 422, 503) },
});

export const getManagedNode = (kind: Kind) => ({
  operationId: `getManaged${kinds[kind].title}`,
  summary: `One ${kind} in whatever state`,
  description: 'Inactive and deleted ones too.',
  ...adminRoute,
  params: paramsOf(kind),
  response: { 200: Success(nodeSchema(kind)), ...errorResponses(401, 403, 404, 503) },
});

export const createNode = (kind: Kind) => ({
  operationId: `create${kinds[kind].title}`,
  summary: `Creates a ${kind}`,
  description:
    'Names are unique among the undeleted siblings; they compare exactly, in NFC. A missing parent is a 404.',
  ...adminRoute,
  body: Type.Unsafe<NodeBody>(Type.Object(columns[kind])),
  response: {
    201: Success(nodeSchema(kind), messages.created(kind)),
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 503),
  },
});

const IfMatch = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'The ETag of the item as administrators read it; else 412' })),
});

export const updateNode = (kind: Kind) => ({
  operationId: `update${kinds[kind].title}`,
  summary: `Changes or moves a ${kind}`,
  description:
    'Takes some of the fields; what is not named stays. A new parent moves it, with all below it, to the end unless a position is given.',
  ...adminRoute,
  params: paramsOf(kind),
  headers: IfMatch,
  body: Type.Unsafe<Partial<NodeBody>>(partial(kind)),
  response: {
    200: Success(nodeSchema(kind), messages.updated(kind)),
    ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 422, 503),
  },
});

const Deletion = Type.Object(
  {
    id: Id,
    deletedAt: Nullable(Timestamp()),
    deleted: Type.Object(
      { grades: Type.Integer(), subjects: Type.Integer(), topics: Type.Integer() },
      { description: 'What went with it, itself not counted' },
    ),
  },
  { title: 'Deletion' },
);

export const deleteNode = (kind: Kind) => ({
  operationId: `delete${kinds[kind].title}`,
  summary: `Deletes a ${kind} and everything below it`,
  description:
    'Softly: it can be restored until it is purged, and its name is free at once. With `dryRun` nothing happens but counting, and `deletedAt` is null.',
  ...adminRoute,
  params: paramsOf(kind),
  headers: IfMatch,
  querystring: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
  response: { 200: Success(Deletion, messages.deleted(kind)), ...errorResponses(401, 403, 404, 412, 422, 503) },
});

export const restoreNode = (kind: Kind) => ({
  operationId: `restore${kinds[kind].title}`,
  summary: `Restores a deleted ${kind}`,
  description:
    'Brings back exactly what its delete took, each with its former `isActive`. 404 when its parent is gone, 409 `CONFLICT` when its name was taken meanwhile, 409 `INVALID_STATE` when it is not deleted.',
  ...adminRoute,
  params: paramsOf(kind),
  response: { 200: Success(nodeSchema(kind), messages.restored(kind)), ...errorResponses(401, 403, 404, 409, 503) },
});

export const reorderNodes = (kind: Kind) => {
  const parent = kinds[kind].parent === null ? Type.Null() : parentId;
  const ids = Type.Array(Type.String(), { maxItems: 5_000 });
  const order = Type.Object({ parentId: parent, ids });
  return {
    operationId: `reorder${kinds[kind].title}s`,
    summary: `Puts ${kinds[kind].plural} in order`,
    description:
      'All undeleted children of the parent in their new order; each id that is missing, foreign or doubled is named.',
    ...adminRoute,
    body: Type.Unsafe<{ parentId: string | null; ids: string[] }>(order),
    response: {
      200: Success(Type.Object({ parentId: Nullable(Id), ids: Type.Array(Id) }), messages.reordered(kind)),
      ...errorResponses(400, 401, 403, 404, 415, 422, 503),
    },
  };
};

export const readTree = {
  operationId: 'readTree',
  summary: 'The whole outline in one answer',
  description: 'Whatever is active with active ancestors, down to how many topics each subject has.',
  ...publicRoute,
  response: { 200: Success(Type.Array(TreeLevel)), ...errorResponses(401, 403, 503) },
};

export const listMentoredSubjects = {
  operationId: 'listMentoredSubjects',
  tags,
  security: adminRoute.security,
  summary: 'The subjects assigned to the caller',
  description: 'In whatever state, but not deleted. `search` looks into names and descriptions.',
  querystring: NodesQuery,
  response: { 200: Page(nodeSchema('subject')), ...errorResponses(401, 403, 422, 503) },
};

export const assignSubjectMentor = {
  operationId: 'assignSubjectMentor',
  summary: "Sets or clears a subject's mentor",
  description:
    'Replaces the assignment: what is not named is cleared. Named by e-mail only, it is the verified holder of that address.',
  ...adminRoute,
  params: paramsOf('subject'),
  headers: IfMatch,
  body: Type.Object(mentor, { minProperties: 1 }),
  response: {
    200: Success(nodeSchema('subject'), messages.mentorAssigned),
    ...errorResponses(400, 401, 403, 404, 412, 415, 422, 503),
  },
};
