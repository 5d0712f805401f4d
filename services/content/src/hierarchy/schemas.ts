import { failures, Success } from '@lms/contracts/envelope';
import { IdParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { maxLengths, Name, Nullable, OneOf, RequiredText, Text, WebUrl } from '@lms/contracts/text';
import { type TProperties, Type } from '@sinclair/typebox';
import { kinds } from './kinds.ts';
import { sortable } from './repository.ts';
import type { Kind } from './table.ts';
import { gradeLevels, shapeOf } from './wire.ts';

const tags = ['content'];
const forAnyone = { tags, security: [{}, { bearer: [] as string[] }] };
const forAdmins = { tags, security: [{ bearer: [] as string[] }] };

const position = Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Where it stands; last by default' });
const flags = { isActive: Type.Optional(Type.Boolean()), position: Type.Optional(position) };
const imageUrl = Type.Optional(Nullable(WebUrl()));
const parentId = Type.String({ maxLength: 100, description: 'Unknown ones are answered 404' });
const mentor = {
  mentorId: Type.Optional(Nullable(RequiredText(255, { description: "The mentor's identity-provider user id" }))),
  mentorEmail: Type.Optional(Nullable(RequiredText(320, { pattern: '^[^\\s@]+@[^\\s@]+$' }))),
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

export const toInput = ({ educationLevelId, gradeId, subjectId, mentorEmail, description = '', ...own }: NodeBody) => ({
  ...own,
  description,
  parentId: educationLevelId ?? gradeId ?? subjectId ?? null,
  ...(mentorEmail !== undefined && { mentorEmail: mentorEmail?.toLowerCase() ?? null }),
});

const filters = { search: Search, ...dateFilters };
const defaults = { sort: 'position', order: 'asc' } as const;
const NodesQuery = PageQuery(sortable, defaults, filters);
const GradesQuery = PageQuery(sortable, defaults, { ...filters, level: Type.Optional(OneOf(gradeLevels)) });

const ancestor = Type.Optional(Type.String({ maxLength: 100 }));
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

export const listNodes = (kind: Kind) => ({
  operationId: `list${kinds[kind].title}s`,
  summary: `Lists ${kinds[kind].plural}`,
  description: 'Active items with active ancestors only, in the order of `position`, then `name`.',
  ...forAnyone,
  ...(kinds[kind].parent !== null && { params: IdParams }),
  querystring: kind === 'grade' ? GradesQuery : NodesQuery,
  response: { 200: Page(shapeOf(kind)), ...failures(401, 403, 404, 422, 503) },
});

export const getNode = (kind: Kind) => ({
  operationId: `get${kinds[kind].title}`,
  summary: `One ${kind}`,
  description:
    kind === 'topic'
      ? 'The outline is for all; `content`, `videoUrl` and `documents` are for the entitled, as `access` tells.'
      : 'Active, with active ancestors; else 404.',
  ...forAnyone,
  params: IdParams,
  response: { 200: Success(shapeOf(kind)), ...failures(401, 403, 404, 503) },
});

export const listManagedNodes = (kind: Kind) => ({
  operationId: `listManaged${kinds[kind].title}s`,
  summary: `Lists ${kinds[kind].plural} in every state`,
  description:
    'Flat, over all parents. An unknown ancestor gives an empty list; deleted ones are left out unless asked for.',
  ...forAdmins,
  querystring: managedQueries[kind],
  response: { 200: Page(shapeOf(kind)), ...failures(401, 403, 422, 503) },
});

export const getManagedNode = (kind: Kind) => ({
  operationId: `getManaged${kinds[kind].title}`,
  summary: `One ${kind} in whatever state`,
  description: 'Inactive and deleted ones too.',
  ...forAdmins,
  params: IdParams,
  response: { 200: Success(shapeOf(kind)), ...failures(401, 403, 404, 503) },
});

export const createNode = (kind: Kind) => ({
  operationId: `create${kinds[kind].title}`,
  summary: `Creates a ${kind}`,
  description:
    'Names are unique among the undeleted siblings; they compare exactly, in NFC. A missing parent is a 404.',
  ...forAdmins,
  body: Type.Unsafe<NodeBody>(Type.Object(columns[kind])),
  response: { 201: Success(shapeOf(kind)), ...failures(400, 401, 403, 404, 409, 413, 415, 422, 503) },
});

export const assignSubjectMentor = {
  operationId: 'assignSubjectMentor',
  summary: "Sets or clears a subject's mentor",
  description:
    'Replaces the assignment: what is not named is cleared. Named by e-mail only, it is the verified holder of that address.',
  ...forAdmins,
  params: IdParams,
  body: Type.Object(mentor, { minProperties: 1 }),
  response: { 200: Success(shapeOf('subject')), ...failures(400, 401, 403, 404, 415, 422, 503) },
};
