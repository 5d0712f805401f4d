import { errorResponses } from '@lms/contracts/envelope';
import { Changes } from '@lms/contracts/events/definition';
import { Id } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, RequiredText, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const AuditEntry = Type.Object(
  {
    id: Id,
    actorId: Type.String({ description: 'The user who made the change' }),
    action: Type.String({ examples: ['user.updated', 'level.deleted'] }),
    entity: Type.String({ examples: ['user', 'level'] }),
    entityId: Type.String(),
    changes: Changes,
    requestId: Nullable(Type.String()),
    createdAt: Timestamp(),
  },
  { title: 'AuditEntry' },
);

const Word = Type.Optional(RequiredText(100));

export const listAudit = {
  operationId: 'listAudit',
  tags: ['audit'],
  summary: 'What admins changed, in every service',
  description:
    'Changes in identity are written in their own transaction; those of the other services join by their events. `action` is named like the event of the change. Filters that match nothing give an empty list. `search` looks into the action, the entity and its id, the id of the actor and the request id. Entries never change, so `updatedFrom` and `updatedTo` compare with `createdAt`, too.',
  security: [{ bearer: [] }],
  querystring: PageQuery(
    ['createdAt'],
    { sort: 'createdAt', order: 'desc' },
    {
      actorId: Word,
      entity: Word,
      entityId: Word,
      action: Word,
      search: Search,
      ...dateFilters,
    },
  ),
  response: { 200: Page(AuditEntry), ...errorResponses(401, 403, 422) },
} as const;
