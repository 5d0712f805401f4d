import { errorResponses, Success } from '@lms/contracts/envelope';
import { idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Role } from '@lms/contracts/passport';
import { Type } from '@sinclair/typebox';
import { UserRole } from '../user-role.ts';

/** What the responses say was done. */
export const messages = { assigned: 'Role assigned', removed: 'Role removed' };

export const listUserRoles = {
  operationId: 'listUserRoles',
  tags: ['users'],
  summary: 'The roles that a user holds and held, newest first',
  description:
    '`search` looks into the role and the id of the assigning admin. `createdFrom` and `createdTo` compare with `effectiveStartDate`, `updatedFrom` and `updatedTo` with the later of `effectiveStartDate` and `effectiveEndDate`.',
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
  tags: ['users'],
  summary: 'Assign a role to a user',
  description:
    'An active assignment of the same role is ended and replaced in one transaction. 409 `INVALID_STATE` where the account is gone for good.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  body: Type.Object({ role: Role }),
  response: { 201: Success(UserRole, messages.assigned), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;

export const endRole = {
  operationId: 'endRole',
  tags: ['users'],
  summary: 'Remove a role from a user',
  description:
    'The role stands in the body or in the query. The assignment is ended and stays in the history. 404 where it is not active; 409 `LAST_ADMIN` for the role of the last active admin.',
  security: [{ bearer: [] }],
  params: idParams('User'),
  querystring: Type.Object({ role: Type.Optional(Role) }),
  body: Type.Object({ role: Type.Optional(Role) }),
  response: { 200: Success(UserRole, messages.removed), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;
