import { defineProblem } from '@lms/service/problems';

export const RoleNotHeld = defineProblem('NOT_FOUND', 404, 'Role not found');
export const LastAdmin = defineProblem('LAST_ADMIN', 409, 'The last active admin stays');
