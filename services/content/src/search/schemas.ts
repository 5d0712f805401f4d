import { failures } from '@lms/contracts/envelope';
import { Id } from '@lms/contracts/ids';
import { Page } from '@lms/contracts/pages';
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
    'All words must be found, of the last one (and of what is no word by itself) the beginning is enough, case and accents do not matter, and a word that no name knows also finds similar ones. Best first: exact names, names, descriptions, texts (of their first 100,000 characters). Of very common words some hundred finds in names are ranked and counted.',
  security: [{}, { bearer: [] as string[] }],
  querystring: Type.Object({
    q: Type.String({ minLength: 1, maxLength: 100 }),
    page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  }),
  response: { 200: Page(Hit), ...failures(401, 403, 422, 503) },
};
