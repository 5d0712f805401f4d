import { gradeLevels } from '@lms/contracts/curriculum';
import { errorResponses, Success } from '@lms/contracts/envelope';
import { idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { OneOf } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { kinds } from './kinds.ts';
import { sortable } from './list-repository.ts';
import { contentLimit, maxRelated, nodeSchema, nodeWithRelationSchema, ofEachKind, TreeLevel } from './node-schemas.ts';
import type { Kind } from './table.ts';

const publicRoute = { tags: ['Courses'], security: [{}, { bearer: [] as string[] }] };
const mentorRoute = { tags: ['Mentors'], security: [{ bearer: [] as string[] }] };

const filters = { search: Search, ...dateFilters };
const defaults = { sort: 'position', order: 'asc' } as const;
const NodesQuery = PageQuery(sortable, defaults, filters);
const GradesQuery = PageQuery(sortable, defaults, { ...filters, level: Type.Optional(OneOf(gradeLevels)) });

const paramsOf = (kind: Kind) => idParams(kinds[kind].label);

export const listNodes = ofEachKind((kind) => ({
  operationId: `list${kinds[kind].title}s`,
  summary: `Lists ${kinds[kind].plural}`,
  description: `Returns active items whose ancestors are all active, by default ordered by \`position\`, then \`name\`. \`search\` matches names and descriptions.${contentLimit(kind)}`,
  ...publicRoute,
  ...(kinds[kind].parent !== null && { params: paramsOf(kinds[kind].parent) }),
  querystring: kind === 'grade' ? GradesQuery : NodesQuery,
  response: { 200: Page(nodeSchema(kind)), ...errorResponses(401, 403, 404, 422, 503) },
}));

export const getNode = ofEachKind((kind) => ({
  operationId: `get${kinds[kind].title}`,
  summary: `Returns one ${kind}`,
  description:
    kind === 'topic'
      ? 'Everyone can read the outline. `content`, `videoUrl` and `documents` require access; `access` says whether the caller has it and why not. Returns 404 if the topic or an ancestor is inactive.'
      : `Returns 404 if the ${kind} or an ancestor is inactive.`,
  ...publicRoute,
  params: paramsOf(kind),
  querystring: relationQuery(kind),
  response: { 200: Success(nodeWithRelationSchema(kind)), ...errorResponses(401, 403, 404, 422, 503) },
}));

/** `include` adds the direct children only; the tree returns the whole outline. */
function relationQuery(kind: Kind) {
  const { child } = kinds[kind];
  const relation =
    child === null ? Type.Never({ description: 'Topics have no relations; any value returns 422' }) : relationTo(child);
  return Type.Object({ include: Type.Optional(Type.Unsafe<string>(relation)) });
}

const relationTo = (child: Kind) =>
  OneOf([kinds[child].plural], {
    description: `Adds \`${kinds[child].plural}\`: the outlines of the active children, ordered by \`position\`, then \`name\`, at most ${maxRelated}. Any other relation returns 422. Use the tree to read more than one generation.`,
  });

export const readTree = {
  operationId: 'readTree',
  summary: 'Returns the whole outline in one response',
  description:
    'Returns active levels, grades and subjects whose ancestors are all active, and the number of topics of each subject.',
  ...publicRoute,
  response: { 200: Success(Type.Array(TreeLevel)), ...errorResponses(401, 403, 503) },
};

export const listMentoredSubjects = {
  operationId: 'listMentoredSubjects',
  ...mentorRoute,
  summary: 'Lists the subjects assigned to the caller',
  description: 'Includes inactive subjects, but not deleted ones. `search` matches names and descriptions.',
  querystring: NodesQuery,
  response: { 200: Page(nodeSchema('subject')), ...errorResponses(401, 403, 422, 503) },
};
