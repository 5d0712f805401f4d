import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Role } from '@lms/contracts/passport';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

/** One assignment of a role, active or ended. */
export const UserRole = Type.Object(
  {
    id: Id,
    userId: Id,
    role: Role,
    isActive: Type.Boolean(),
    assignedBy: Nullable(
      Type.String({ description: 'The admin who assigned the role; null if the service assigned it' }),
    ),
    effectiveStartDate: Timestamp(),
    effectiveEndDate: Nullable(Timestamp({ description: 'When the assignment ended or was replaced' })),
  },
  { title: 'UserRole' },
);

/** The `message` of each response. */
export const roleMessages = { assigned: 'Role assigned', removed: 'Role removed' };

export const listUserRoles = {
  operationId: 'listUserRoles',
  tags: ['Users'],
  summary: "List a user's current and former roles, newest first",
  description:
    '`search` matches the role and the id of the assigning admin. `createdFrom` and `createdTo` compare with `effectiveStartDate`; `updatedFrom` and `updatedTo` compare with the later of `effectiveStartDate` and `effectiveEndDate`.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  querystring: PageQuery(
    ['effectiveStartDate'],
    { sort: 'effectiveStartDate', order: 'desc' },
    { role: Type.Optional(Role), isActive: Type.Optional(Type.Boolean()), search: Search, ...dateFilters },
  ),
  response: { 200: Page(UserRole), ...errorResponses(401, 403, 404, 422) },
} as const;

export const assignRole = {
  operationId: 'assignRole',
  tags: ['Users'],
  summary: 'Assign a role to a user',
  description:
    'An active assignment of the same role is ended and replaced in one transaction. Returns 409 `INVALID_STATE` if the account has been deleted.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  body: Type.Object({ role: Role }),
  response: { 201: Success(UserRole, roleMessages.assigned), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;

export const endRole = {
  operationId: 'endRole',
  tags: ['Users'],
  summary: 'Remove a role from a user',
  description:
    'Send the role in the body or in the query string. The assignment ends and stays in the history. Returns 404 if the user does not hold the role, and 409 `LAST_ADMIN` if the user is the last active admin.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  querystring: Type.Object({ role: Type.Optional(Role) }),
  body: Type.Object({ role: Type.Optional(Role) }),
  response: { 200: Success(UserRole, roleMessages.removed), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;
