import { defineProblem } from '@lms/server/problems';

export const InvalidSignature = defineProblem('INVALID_SIGNATURE', 401, 'Invalid signature');
