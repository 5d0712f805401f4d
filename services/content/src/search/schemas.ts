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
      description: 'What it hangs under, the level first',
    }),
  },
  { title: 'SearchHit' },
);
export type Hit = Static<typeof Hit>;

export const searchEducation = {
  operationId: 'searchEducation',
  tags: ['content'],
  summary: 'Searches the outline, and the texts that the caller may read',
  description:
    'All words must be found, of the last one (and of what is no word by itself) the beginning is enough, case and accents do not matter, and a word that no name knows also finds similar ones. Best first: exact names, names, descriptions, texts (of their first 100,000 characters). Of very common words some hundred finds in names are ranked and counted. `search` narrows what `q` finds to names and descriptions that contain it; `order=desc` by `relevance` puts the best last.',
  security: [{}, { bearer: [] as string[] }],
  querystring: PageQuery(
    ['relevance', 'position', 'name', 'createdAt', 'updatedAt'],
    { sort: 'relevance', order: 'asc' },
    { q: Type.String({ minLength: 1, maxLength: 100 }), search: Search, ...dateFilters },
  ),
  response: { 200: Page(Hit), ...errorResponses(401, 403, 422, 503) },
};
