import { type Role, roles } from '@lms/contracts/passport';
import { defineProblem, forbidden } from '@lms/service/problems';

export const UserNotFound = defineProblem('NOT_FOUND', 404, 'User not found');
/** A genuine token whose bearer has no account here. */
export const NotSynchronised = defineProblem('FORBIDDEN', 403, 'User not synchronised', {
  required: roles,
  user_roles: [],
});
export const AccountInactive = defineProblem('ACCOUNT_INACTIVE', 403, 'This account is inactive');
export const otherIdentity = (ownRoles: readonly Role[]) =>
  forbidden({ required: roles, user_roles: ownRoles }, 'You can only synchronise yourself');
export const InvalidStatusChange = defineProblem('INVALID_STATE', 409, 'The status cannot change like that');
export const OwnStatus = defineProblem('INVALID_STATE', 409, 'One cannot change the status of oneself');
export const UserDeleted = defineProblem('INVALID_STATE', 409, 'This account is gone for good');
export const ExportIncomplete = defineProblem(
  'SERVICE_UNAVAILABLE',
  503,
  'Part of the data is out of reach; details name it',
);
