import { errorResponses } from '@lms/contracts/envelope';
import { Id } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { OneOf } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';

const HitType = OneOf(['level', 'grade', 'subject', 'topic']);

export const Hit = Type.Object(
  {
    type: HitType,
    id: Id,
    name: Type.String(),
    description: Type.String(),
    path: Type.Array(Type.Object({ type: HitType, id: Id, name: Type.String() }), {
      description: 'The ancestors of the item, from the level down',
    }),
  },
  { title: 'SearchHit' },
);
export type Hit = Static<typeof Hit>;

export const searchEducation = {
  operationId: 'searchEducation',
  tags: ['Courses'],
  summary: 'Searches names, descriptions, and the topic texts that the caller may read',
  description:
    'An item matches if it contains every word of `q`. The last word, and any word that no name contains as a whole, match as prefixes. Case and accents are ignored. If nothing matches, words that no name contains find similar words of names. Results are ordered by relevance: exact names, names, descriptions, then texts (their first 100,000 characters). For very common words only a few hundred matches are ranked and counted. `search` filters the matches to names and descriptions that contain it. Filters apply to the first 10,000 matches in names, in descriptions and in texts each. With `sort=relevance`, `order=desc` returns the best match last.',
  security: [{}, { bearer: [] as string[] }],
  querystring: PageQuery(
    ['relevance', 'position', 'name', 'createdAt', 'updatedAt'],
    { sort: 'relevance', order: 'asc' },
    { q: Type.String({ minLength: 1, maxLength: 100, examples: ['fractions'] }), search: Search, ...dateFilters },
  ),
  response: { 200: Page(Hit), ...errorResponses(401, 403, 422, 503) },
};
