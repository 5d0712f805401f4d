import { errorResponses } from '@lms/contracts/envelope';
import { Changes } from '@lms/contracts/events/definition';
import { Id } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, RequiredText, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const AuditEntry = Type.Object(
  {
    id: Id,
    actorId: Type.String({ description: 'The id of the user who made the change' }),
    action: Type.String({ examples: ['user.updated', 'level.deleted'] }),
    entity: Type.String({ examples: ['user', 'level'] }),
    entityId: Type.String(),
    changes: Changes,
    requestId: Nullable(Type.String()),
    createdAt: Timestamp(),
  },
  { title: 'AuditEntry' },
);

const Filter = Type.Optional(RequiredText(100));

export const listAudit = {
  operationId: 'listAudit',
  tags: ['Audit'],
  summary: 'List changes that admins made in any service',
  description:
    'Changes to users are recorded in the same transaction; changes in the other services are recorded from their events. `action` is named like the event of the change. Filters without a match return an empty list. `search` matches the action, the entity and its id, the id of the actor and the request id. Entries never change, so `updatedFrom` and `updatedTo` compare with `createdAt` as well.',
  security: [{ bearer: [] }],
  querystring: PageQuery(
    ['createdAt'],
    { sort: 'createdAt', order: 'desc' },
    {
      actorId: Filter,
      entity: Filter,
      entityId: Filter,
      action: Filter,
      search: Search,
      ...dateFilters,
    },
  ),
  response: { 200: Page(AuditEntry), ...errorResponses(401, 403, 422) },
} as const;
