import { defineProblem } from '@lms/service/problems';

export const UserNotFound = defineProblem('NOT_FOUND', 404, 'User not found');
