import { defineProblem } from '@lms/service/problems';

export const ApplicationNotFound = defineProblem('NOT_FOUND', 404, 'Mentor application not found');
export const ApplicationDecided = defineProblem('INVALID_STATE', 409, 'The application is no longer pending');
