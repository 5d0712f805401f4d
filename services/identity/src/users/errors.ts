import { type Role, roles } from '@lms/contracts/passport';
import { defineProblem, forbidden } from '@lms/service/problems';

export const UserNotFound = defineProblem('NOT_FOUND', 404, 'User not found');
/** The token is valid, but there is no account for its subject. */
export const NotSynchronised = defineProblem('FORBIDDEN', 403, 'User not synchronised', {
  required: roles,
  user_roles: [],
});
export const otherIdentity = (ownRoles: readonly Role[]) =>
  forbidden({ required: roles, user_roles: ownRoles }, 'You can only synchronise yourself');
export const InvalidStatusChange = defineProblem('INVALID_STATE', 409, 'This status change is not allowed');
export const OwnStatus = defineProblem('INVALID_STATE', 409, 'You cannot change your own status');
export const UserDeleted = defineProblem('INVALID_STATE', 409, 'This account has been deleted');
export const RoleNotHeld = defineProblem('NOT_FOUND', 404, 'Role not found');
export const LastAdmin = defineProblem('LAST_ADMIN', 409, 'Cannot remove the last active admin');
export const ExportIncomplete = defineProblem(
  'SERVICE_UNAVAILABLE',
  503,
  'Part of the data is unavailable; details.missing names it',
);
