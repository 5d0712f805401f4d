import { defineProblem } from '@lms/server/problems';

export const UserNotFound = defineProblem('NOT_FOUND', 404, 'User not found');
